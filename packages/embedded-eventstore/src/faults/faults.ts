import { parseSchedule, ScheduledFault, type FaultSchedule } from './schedule';
import { createRandom } from './seeded-random';

/**
 * All faults that a test can request, each with the opportunity at which it strikes. A fault
 * happens only if it was requested: with `--fault` at the start, or with `injectFault` while the
 * server runs.
 */
export const FAULTS = {
  'drop-connection': 'an append: all connections break after the commit, before the answer',
  'timeout-after-commit': 'an append: committed, but answered as timed out',
  'append-unanswered': 'an append: committed, but never answered',
  'late-answer': 'an append: committed, but answered three seconds later',
  'double-answer': 'a batch append: answered twice',
  'unknown-answer': 'a batch append: before its answer comes one for an append that nobody sent',
  'break-other-append-stream':
    'a batch append while another append stream is open: that stream ends with UNAVAILABLE first',
  'leader-change':
    'an append: committed, answered as not-leader; all groups drop their consumers, recent event ids are forgotten',
  'not-leader': 'a call that reads, writes or subscribes: refused, naming this server as leader',
  'not-ready':
    'a connect, create, update, delete or replay-parked of a group: ignored; statistics of groups are refused',
  'connect-unanswered': 'a connect to a group: ignored, the call stays open without an answer',
  'create-unanswered': 'a create of a group: ignored, no answer',
  'update-unanswered': 'an update of a group: ignored, no answer',
  'delete-unanswered': 'a delete of a group: ignored, no answer',
  'replay-unanswered': 'a replay of parked events: ignored, no answer',
  'answer-lost': 'a create, update, delete or replay-parked of a group: carried out, no answer',
  'drop-group': 'an acknowledgement to a group: taken, then the group drops its consumers',
  'nack-lost': 'a negative acknowledgement to a group: ignored, as if the call had ended before it',
  'duplicate-delivery': 'a delivery to a group: sent twice',
  'projection-fault':
    'an event that $by_category has to link: the projection is Faulted and links nothing until it is enabled again',
  silence: 'all calls: accepted and carried out, nothing is sent on any connection (a time only)',
} as const;

export type FaultName = keyof typeof FAULTS;

/** The schedule of each fault. */
export type FaultPlan = ReadonlyMap<FaultName, FaultSchedule>;

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULTS, name);

/** Reads `NAME=SCHEDULE`. Throws an error that explains the mistake in it. */
export const parseFault = (text: string): readonly [name: FaultName, schedule: FaultSchedule] => {
  const [name = '', ...rest] = text.split('=');
  if (!isFaultName(name)) throw new Error(`Faults are ${Object.keys(FAULTS).join(', ')}.`);
  const schedule = parseSchedule(rest.join('='));
  if (!schedule) throw new Error('A schedule is N, next:N, P% or a time as 4s or 500ms.');
  if (name === 'silence' && !('forMs' in schedule))
    throw new Error('silence needs a duration, such as 4s.');
  return [name, schedule];
};

/** Decides at each opportunity whether a fault strikes. */
export class Faults {
  readonly #scheduled = new Map<FaultName, ScheduledFault>();
  #struck = 0;
  readonly #random: () => number;

  constructor(plan: FaultPlan = new Map(), seed = 1) {
    this.#random = createRandom(seed);
    for (const [name, schedule] of plan) this.inject(name, schedule);
  }

  /** Replaces the schedule of one fault and counts its opportunities from here. */
  inject(name: FaultName, schedule: FaultSchedule): void {
    this.#scheduled.set(name, new ScheduledFault(schedule, this.#random));
  }

  /** Ends all faults. Returns how often they struck since they were ended last. */
  clear(): number {
    const struck = this.#struck;
    this.#scheduled.clear();
    this.#struck = 0;
    return struck;
  }

  /** Counts one opportunity and returns true if the fault strikes now. */
  strikes(name: FaultName): boolean {
    const strikes = this.#scheduled.get(name)?.strikes() ?? false;
    if (strikes) this.#struck++;
    return strikes;
  }

  /** Counts one opportunity for each fault and returns the first one that strikes. */
  findFirstStriking<Name extends FaultName>(names: readonly Name[]): Name | undefined {
    const striking = names.filter((name) => this.strikes(name));
    return striking[0];
  }
}
