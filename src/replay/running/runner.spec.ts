import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AttemptTrigger, Attempted } from '../../delivery/attempt/attempt';
import type { Outcome } from '../../delivery/journal/journal';
import type { Work } from '../../delivery/journal/work';
import type { DeliveryDestination } from '../../delivery/model/destination';
import type { Verdict } from '../../delivery/model/verdict';
import { DestinationClosed, type Gate } from '../../delivery/schedule/gate';
import { Gates } from '../../delivery/schedule/gates';
import {
  JobLost,
  type KnownReplay,
  recordProgress,
  type Replay,
  replayAggregate,
  requestReplay,
  requireReplay,
  startReplay,
} from '../../domain/replays/replay.decider';
import type {
  FailureReason,
  ReplayFact,
  ReplayProgress,
  ReplayRequest,
  WaitingEvent,
} from '../../domain/replays/replay.events';
import { fromMillis, type Instant } from '../../kernel/time';
import { SystemClock } from '../../ops/system-clock';
import { until } from '../../../test/support/until';
import type { ReplayRun } from '../progress/replay-run';
import { LivePriority } from './live-priority';
import { Runner, type RunnerParts } from './runner';

const RUN = 'run-1';
const PAST = '2026-03-01T12:00:00.000Z' as Instant;

const waiting = (n: number): WaitingEvent => ({
  revision: n,
  event_id: `evt_${n}`,
  event_type: 'ticket.submitted',
  subscriber_id: `subscriber_${n}`,
  sequence: 1,
  created_at: PAST,
  attempts: 1,
  next_attempt_at: PAST,
});

/** A job in progress whose scan is complete and whose last events wait for their next attempt. */
const jobWith = (count: number): KnownReplay => {
  const asked = {
    scope: 'tnt_0.test',
    id: 'rep_0000000000000000',
    tenant_id: 'tnt_0',
    environment: 'test',
    destination_id: 'dest_0',
    events_matched: count,
    position_from: null,
    rate_per_second: null,
    dedupe_strategy: 'force_redeliver',
  } as unknown as ReplayRequest;
  const made: ReplayProgress = {
    scanned_to: count,
    open: [],
    events_delivered: 0,
    events_failed: 0,
    events_skipped: 0,
    waiting: Array.from({ length: count }, (_, n) => waiting(n)),
    ended: [],
    failures: [],
  };
  const decisions = [requestReplay(asked), startReplay(RUN, PAST), recordProgress(RUN, made)];
  return requireReplay(
    decisions.reduce<Replay>(
      (state, decide) =>
        decide(state).reduce(
          (each: Replay, fact: ReplayFact) => replayAggregate.evolve(each, { ...fact, at: PAST }),
          state,
        ),
      replayAggregate.initialState(),
    ),
  );
};

type Answer = (work: Work) => Verdict | Promise<Verdict>;

/** A runner whose receiver, journal and job stream are in memory. `steps` is what happened. */
class Stage {
  readonly steps: string[] = [];
  readonly outcomes: Outcome[] = [];
  readonly progress: ReplayProgress[] = [];
  state: 'active' | 'disabled' | 'deleted' = 'active';
  isLost = false;
  readonly triggers: AttemptTrigger[] = [];
  private readonly gates = new Gates(new SystemClock());
  /** The gate of the destination, which live deliveries pass too. */
  readonly gate: Gate;
  private readonly runner: Runner;
  readonly stop = new AbortController();

  constructor(count: number, answer: Answer) {
    const destination = {
      id: 'dest_0',
      scope: { tenantId: 'tnt_0', environment: 'test' },
      ordering: 'relaxed',
      maxInFlight: 1,
      ratePerSecond: null,
      activeSince: PAST,
    } as unknown as DeliveryDestination;
    this.gate = this.gates.gateFor(destination);
    const parts = {
      destinations: {
        find: () => (this.state === 'active' ? destination : undefined),
        isDeleted: () => this.state === 'deleted',
        disable: (_: string, reason: string) => {
          this.steps.push(`disable: ${reason}`);
          this.state = 'disabled';
          return Promise.resolve();
        },
      },
      journal: {
        record: (_: string, outcome: Outcome) => {
          this.steps.push(`journal: ${outcome.kind}`);
          this.outcomes.push(outcome);
          return Promise.resolve();
        },
      },
      attempts: {
        make: async (work: Work, _: unknown, trigger: AttemptTrigger): Promise<Attempted> => {
          this.triggers.push(trigger);
          this.steps.push(`attempt: ${work.eventId}`);
          const verdict = await answer(work);
          const made = { ...work, attempts: work.attempts + 1 };
          return { work: made, verdict, facts: { status_code: 200 } };
        },
      },
      gates: this.gates,
      livePriority: new LivePriority(() => Infinity),
      clock: { now: () => fromMillis(Date.now()), nowMs: () => Date.now() },
      schedule: [0],
    } as unknown as RunnerParts;
    const job = {
      storeProgress: (made: ReplayProgress) => {
        if (this.isLost) return Promise.reject(new JobLost(RUN));
        this.progress.push(made);
        const { events_delivered, events_failed } = made;
        this.steps.push(`progress: ${events_delivered} delivered, ${events_failed} failed`);
        return Promise.resolve({ status: 'in_progress' });
      },
      finish: () => Promise.resolve(this.steps.push('finished')),
      fail: (reason: FailureReason) => Promise.resolve(this.steps.push(`failed: ${reason}`)),
    } as unknown as ReplayRun;
    this.runner = new Runner(job, jobWith(count), parts);
  }

  run(): Promise<void> {
    return this.runner.run(this.stop.signal);
  }

  get last(): ReplayProgress | undefined {
    return this.progress.at(-1);
  }
}

const delivered = { kind: 'delivered' } as const;

describe('a run of a replay', () => {
  it('delivers, journals each outcome before it counts it, and finishes', async () => {
    const stage = new Stage(3, () => delivered);
    await stage.run();
    expect(stage.steps.at(-1)).toBe('finished');
    expect(stage.last).toMatchObject({ events_delivered: 3, events_failed: 0, open: [] });
    expect(stage.outcomes.map(({ event_id }) => event_id).sort()).toEqual([
      'evt_0',
      'evt_1',
      'evt_2',
    ]);
    const counted = stage.steps.findIndex((step) => step.startsWith('progress: 3'));
    expect(stage.steps.lastIndexOf('journal: delivered')).toBeLessThan(counted);
  });

  it('makes its attempts in the name of the job', async () => {
    const stage = new Stage(1, () => delivered);
    await stage.run();
    const replay = { replayId: 'rep_0000000000000000', dedupeStrategy: 'force_redeliver' };
    expect(stage.triggers).toMatchObject([{ kind: 'replay', replay }]);
    expect(stage.outcomes).toMatchObject([{ replay_id: 'rep_0000000000000000' }]);
  });

  it('repeats an attempt when it is due, and journals that it waits', async () => {
    let attempts = 0;
    const stage = new Stage(1, () => {
      attempts += 1;
      return attempts === 1 ? { kind: 'retry', afterMs: 5 } : delivered;
    });
    await stage.run();
    expect(stage.outcomes.map(({ kind }) => kind)).toEqual(['retrying', 'delivered']);
    expect(stage.last).toMatchObject({ events_delivered: 1, events_failed: 0 });
    expect(stage.steps.at(-1)).toBe('finished');
  });

  it('lists an event that used up its attempts, and goes on with the others', async () => {
    const stage = new Stage(2, ({ eventId }) =>
      eventId === 'evt_0' ? { kind: 'failed' } : delivered,
    );
    await stage.run();
    expect(stage.last).toMatchObject({ events_delivered: 1, events_failed: 1 });
    const failures = stage.progress.flatMap((each) => each.failures);
    expect(failures).toMatchObject([
      { event_id: 'evt_0', event_type: 'ticket.submitted', attempts: 2, last_status_code: 200 },
    ]);
    expect(stage.steps.at(-1)).toBe('finished');
  });

  it('disables a destination that answers 410, and the job fails', async () => {
    const stage = new Stage(1, () => ({ kind: 'gone' }));
    await stage.run();
    expect(stage.steps.slice(0, 3)).toEqual(['attempt: evt_0', 'disable: gone', 'journal: failed']);
    expect(stage.steps.at(-1)).toBe('failed: destination_gone');
  });

  it('sends nothing after a live delivery was answered 410, and fails when the disabling is stored', async () => {
    const stage = new Stage(2, () => delivered);
    let store: (stored: boolean) => void = () => undefined;
    stage.gate.setLiveWaiting(true);
    const run = stage.run();
    void stage.gate.close(PAST, () => new Promise((resolve) => (store = resolve)));
    stage.gate.setLiveWaiting(false);
    await nextTurn();
    expect(stage.steps).toEqual([]);
    store(true);
    await run;
    expect(stage.steps).toEqual(['failed: destination_disabled']);
  });

  it('sends an attempt that the gate refused when the disabling could not be stored', async () => {
    const stage = new Stage(1, () => {
      if (stage.triggers.length === 1) throw new DestinationClosed();
      return delivered;
    });
    await stage.run();
    expect(stage.steps.filter((step) => step.startsWith('attempt'))).toHaveLength(2);
    expect(stage.last).toMatchObject({ events_delivered: 1 });
    expect(stage.steps.at(-1)).toBe('finished');
  });

  it('looks at the destination again after it waited for its turn', async () => {
    const stage = new Stage(2, () => delivered);
    stage.gate.setLiveWaiting(true);
    const run = stage.run();
    await nextTurn();
    stage.state = 'disabled';
    stage.gate.setLiveWaiting(false);
    await run;
    expect(stage.steps).toEqual(['failed: destination_disabled']);
  });

  it.each([
    ['disabled', 'destination_disabled'],
    ['deleted', 'destination_deleted'],
  ] as const)(
    'sends nothing to a destination that is %s, and the job fails',
    async (state, why) => {
      const stage = new Stage(2, () => delivered);
      stage.state = state;
      await stage.run();
      expect(stage.steps).toEqual([`failed: ${why}`]);
    },
  );

  it('that is stopped sends nothing new, and counts what is in flight', async () => {
    let answer: (verdict: Verdict) => void = () => undefined;
    const answered = new Promise<Verdict>((resolve) => (answer = resolve));
    const stage = new Stage(1, () => answered);
    const run = stage.run();
    await until('the attempt', () => stage.steps.includes('attempt: evt_0'));
    stage.stop.abort();
    answer(delivered);
    await run;
    expect(stage.steps.slice(0, 2)).toEqual(['attempt: evt_0', 'journal: delivered']);
    expect(stage.steps.at(-1)).toBe('progress: 1 delivered, 0 failed');
  });

  it('that is stopped before it begins does nothing', async () => {
    const stage = new Stage(2, () => delivered);
    stage.stop.abort();
    await stage.run();
    expect(stage.steps).toEqual([]);
  });

  it('ends with an error, and writes nothing more, if another run has begun', async () => {
    const stage = new Stage(1, () => delivered);
    stage.isLost = true;
    await expect(stage.run()).rejects.toThrow(JobLost);
    expect(stage.steps).toEqual(['attempt: evt_0', 'journal: delivered']);
  });

  it('counts no attempt for which nothing was sent, and tries the event again', async () => {
    let tries = 0;
    const stage = new Stage(1, () => {
      tries += 1;
      if (tries === 1) throw new Error('the vault did not answer');
      return delivered;
    });
    await stage.run();
    expect(stage.outcomes.map(({ kind, attempt }) => [kind, attempt])).toEqual([['delivered', 2]]);
    expect(stage.last).toMatchObject({ events_delivered: 1 });
  });
});
