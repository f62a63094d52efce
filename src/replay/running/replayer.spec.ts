import { SubscriptionWatch } from '../../event-store/subscription-watch';
import { until } from '../../../test/support/until';
import type { Aggregates, Decide } from '../../event-store/aggregates';
import type { Aggregate } from '../../kernel/aggregate';
import type { Stream } from '../../event-store/streams';
import type { CommandContext } from '../../kernel/scope';
import { type Clock, type Instant, toMillis } from '../../kernel/time';
import { type Replay, replayAggregate, requestReplay } from '../../domain/replays/replay.decider';
import type { ReplayFact, ReplayRequest } from '../../domain/replays/replay.events';
import { Gates } from '../../delivery/schedule/gates';
import { NO_TRACING } from '../../ops/tracing';
import { Replayer, type ReplayerParts } from './replayer';

const NOW = '2026-03-01T12:00:00.000Z' as Instant;
const ID = 'rep_0000000000000000';
/** More failures than a job is allowed. */
const TRIES_WHILE_AWAY = 22;
/** The replayer looks for the job this often. */
const POLL_MS = 20;
const WAIT_LIMIT_MS = 50_000;

const asked = {
  id: ID,
  scope: 'tnt_0.test',
  destination_id: 'dest_0',
  destination_revision: 3,
  event_types: null,
  subscriber_ids: null,
  cohort_ids: null,
  retry_of: null,
  rate_per_second: null,
  position_from: null,
  events_matched: 0,
} as unknown as ReplayRequest;

/** A fake stream of one job. Its store does not answer for the first commands. */
class OneJob {
  tries = 0;
  readonly facts: ReplayFact[] = [];
  private state: Replay = replayAggregate.initialState();

  constructor(private readonly awayFor: number) {
    this.add(requestReplay(asked)(this.state));
  }

  run = async (
    _: Aggregate<Replay, ReplayFact>,
    __: Stream,
    ___: CommandContext,
    decide: Decide<Replay, ReplayFact>,
  ): Promise<{ state: Replay }> => {
    this.tries += 1;
    if (this.tries <= this.awayFor) {
      throw Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '' });
    }
    const moment = { state: this.state, now: NOW, entropy: () => new Uint8Array() };
    this.add(await decide(moment));
    return { state: this.state };
  };

  private add(facts: readonly ReplayFact[]): void {
    for (const fact of facts) {
      this.facts.push(fact);
      this.state = replayAggregate.evolve(this.state, { ...fact, at: NOW });
    }
  }
}

const DESTINATION = {
  id: 'dest_0',
  scope: { tenantId: 'tnt_0', environment: 'test' },
  ordering: 'relaxed',
};

/** Creates a replayer for which the job is an orphan until it has ended. */
const replayerOf = (
  job: OneJob,
  parts: Pick<ReplayerParts, 'knowsDestination'> & { find?: () => object | undefined },
): Replayer => {
  const clock = { now: () => NOW, nowMs: () => toMillis(NOW) } as Clock;
  const all = {
    aggregates: job as unknown as Aggregates,
    clock,
    destinations: {
      waitUntilReady: () => Promise.resolve(),
      find: parts.find ?? (() => undefined),
      isDeleted: () => false,
    },
    gates: new Gates(clock),
    knowsDestination: parts.knowsDestination,
    leases: {
      renew: () => Promise.resolve(),
      findOrphans: () => Promise.resolve([ID]),
      acquire: () => Promise.resolve(true),
      release: () => Promise.resolve(),
    },
    tracing: NO_TRACING,
    connection: { subscriptions: new SubscriptionWatch() },
  };
  return new Replayer(all as unknown as ReplayerParts, POLL_MS);
};

const endOf = async (job: OneJob, replayer: Replayer): Promise<ReplayFact> => {
  const stop = new AbortController();
  const running = replayer.run(stop.signal);
  const isEnd = ({ type }: ReplayFact) => type === 'replay.failed' || type === 'replay.finished';
  const end = await until('the job to end', () => job.facts.find(isEnd), WAIT_LIMIT_MS);
  stop.abort();
  await running;
  return end;
};

describe('the replayer', () => {
  it(
    'continues a job after the event store did not answer for a long time',
    async () => {
      const job = new OneJob(TRIES_WHILE_AWAY);
      // The first run that starts finds its destination disabled.
      const end = await endOf(
        job,
        replayerOf(job, { knowsDestination: () => Promise.resolve(true) }),
      );
      expect(job.tries).toBeGreaterThan(TRIES_WHILE_AWAY);
      expect(end.data).toMatchObject({ failure_reason: 'destination_disabled' });
    },
    WAIT_LIMIT_MS + 10_000,
  );

  it('waits until this process knows the destination as it was at acceptance', async () => {
    const job = new OneJob(0);
    let known = false;
    const learns = (): Promise<boolean> => {
      known = true;
      return Promise.resolve(true);
    };
    const find = (): object | undefined => (known ? DESTINATION : undefined);
    const end = await endOf(job, replayerOf(job, { knowsDestination: learns, find }));
    expect(end.type).toBe('replay.finished');
  });

  it('leaves the job to other processes while this one does not know its destination', async () => {
    const job = new OneJob(0);
    const asked: unknown[] = [];
    const knows = (id: string, revision: number): Promise<boolean> =>
      Promise.resolve(asked.push([id, revision]) > 1);
    const find = (): object => DESTINATION;
    const end = await endOf(job, replayerOf(job, { knowsDestination: knows, find }));
    expect([end.type, asked]).toEqual(['replay.finished', Array(2).fill(['dest_0', 3])]);
  });
});
