import { RowNotifier } from '../../read-models/row-notifier';
import { Readable } from 'node:stream';
import { noon } from '../../../test/support/given';
import { until } from '../../../test/support/until';
import type { Decide } from '../../event-store/aggregates';
import type { Aggregate } from '../../kernel/aggregate';
import type { Stream } from '../../event-store/streams';
import { fold } from '../../kernel/decider';
import { type CommandContext, parseScope } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { ConnectionLost } from '../../read-models/database';
import { type AdvancerParts, ClockAdvancer } from './clock.advancer';
import { clockAggregate, type TestClock } from '../../domain/clocks/clock.decider';
import type { ClockFact } from '../../domain/clocks/clock.events';
import { ClockLease } from './clock.lease';
import type { ClockRow, ClockStore } from './clock.store';

const SCOPE = 'tnt_0000000000000000.test';
const ID = 'clock_0000000000000000';
const TARGET = '2026-04-10T12:00:00.000Z' as Instant;
const LEASE_END = '2026-03-10T12:01:00.000Z' as Instant;
const WAIT_LIMIT_MS = 10_000;
const DUE_SUBSCRIBER = { scope: SCOPE, subscriber_id: 'subscriber_0' };

const row = {
  scope: SCOPE,
  id: ID,
  status: 'advancing',
  target: TARGET,
  leased_until: LEASE_END,
} as const satisfies ClockRow;

/** One clock with one subscriber, which several processes try to advance. */
class Stage {
  readonly facts: ClockFact[] = [
    {
      type: 'clock.created',
      data: { scope: SCOPE, id: ID, name: null, frozen_time: noon, deletes_after: TARGET },
    },
    { type: 'clock.advance_started', data: { scope: SCOPE, id: ID, target: TARGET } },
  ];
  holder: string | null = null;
  isDue = true;
  isAlone = false;

  /** Creates a clock advancer. It calls `wake` when it wakes the subscriber. */
  process(name: string, wake: () => Promise<bigint | null>): ClockAdvancer {
    return new ClockAdvancer({
      connection: { client: { readStream: () => Readable.from([]) } },
      store: {
        claim: () => {
          if (this.holder !== null || this.clock.status !== 'advancing') return resolved(null);
          this.holder = name;
          return resolved(row);
        },
        renew: () => resolved(this.holder === name ? LEASE_END : null),
        listDue: () => resolved(this.isDue ? [DUE_SUBSCRIBER] : []),
        releaseAll: () => {
          this.holder = null;
          return resolved(undefined);
        },
        listen: () => new RowNotifier().listen('test_clocks'),
        notifiesAll: () => false,
      },
      aggregates: { run: this.run, load: () => resolved({ state: this.clock }) },
      timers: { wake },
      cohorts: { listCohorts: () => resolved([]) },
      freshness: { waitUntilReached: () => resolved(true) },
      tenants: {
        waitUntilReady: () => resolved(undefined),
        require: () => ({ id: parseScope(SCOPE).tenantId, name: 'Acme' }),
      },
      clock: { now: () => noon },
      runtime: { isAlone: this.isAlone },
    } as unknown as AdvancerParts);
  }

  get clock(): TestClock {
    const dated = this.facts.map((fact) => ({ ...fact, at: noon }));
    return fold(clockAggregate, clockAggregate.initialState(), dated);
  }

  get last(): string | undefined {
    return this.facts.at(-1)?.type;
  }

  /** Runs the clock advancer until the clock's stream has a new event. */
  async runUntilStored(advancer: ClockAdvancer): Promise<string | undefined> {
    const before = this.facts.length;
    const stop = new AbortController();
    const running = advancer.run(stop.signal);
    try {
      await until('the advance to end', () => this.facts.length > before, WAIT_LIMIT_MS);
    } finally {
      stop.abort();
      await running;
    }
    return this.last;
  }

  private readonly run = async (
    _: Aggregate<TestClock, ClockFact>,
    __: Stream,
    ___: CommandContext,
    decide: Decide<TestClock, ClockFact>,
  ): Promise<unknown> => {
    const moment = { state: this.clock, now: noon, entropy: () => new Uint8Array() };
    this.facts.push(...(await decide(moment)));
    return { state: this.clock };
  };
}

const resolved = <T>(value: T): Promise<T> => Promise.resolve(value);

describe('the advancer of test clocks', () => {
  it.each([
    ['the database', new ConnectionLost('gone')],
    ['the event store', Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '' })],
  ])('waits until %s is available again', async (_, outage) => {
    const stage = new Stage();
    let tries = 0;
    const advancer = stage.process('a', () => {
      tries += 1;
      if (tries === 1) return Promise.reject(outage);
      stage.isDue = false;
      return resolved(1n);
    });
    expect(await stage.runUntilStored(advancer)).toBe('clock.advanced');
  });

  it('continues if a subscriber is already up to date but the rows do not show it yet', async () => {
    const stage = new Stage();
    const advancer = stage.process('a', () => {
      stage.isDue = false;
      return resolved(null);
    });
    expect(await stage.runUntilStored(advancer)).toBe('clock.advanced');
  });

  it('takes over at once what a killed process of the same service had', async () => {
    const stage = new Stage();
    stage.holder = 'killed';
    stage.isAlone = true;
    const advancer = stage.process('a', () => {
      stage.isDue = false;
      return resolved(1n);
    });
    expect(await stage.runUntilStored(advancer)).toBe('clock.advanced');
  });

  it('stores a failure that is not an outage', async () => {
    const stage = new Stage();
    const broken = stage.process('a', () => Promise.reject(new Error('a bug')));
    expect(await stage.runUntilStored(broken)).toBe('clock.advance_failed');
    const stuck = new Stage();
    expect(await stuck.runUntilStored(stuck.process('a', () => resolved(null)))).toBe(
      'clock.advance_failed',
    );
  });

  it('stores no failure of a clock that another process has claimed', async () => {
    const stage = new Stage();
    let sleeping = (_: Error): void => undefined;
    let asleep = false;
    const first = stage.process('a', () => {
      asleep = true;
      return new Promise((_, fail) => {
        sleeping = fail;
      });
    });
    const stop = new AbortController();
    const running = first.run(stop.signal);
    await until('the first to be at it', () => asleep);
    // The first process sleeps longer than its lease. It gets an error only after the second
    // process has begun to advance the clock.
    stage.holder = null;
    const second = stage.process('b', () => {
      sleeping(new Error('a bug'));
      stage.isDue = false;
      return new Promise((done) => setTimeout(done, 100, 1n));
    });
    expect(await stage.runUntilStored(second)).toBe('clock.advanced');
    stop.abort();
    await running;
    expect(stage.facts.map(({ type }) => type)).not.toContain('clock.advance_failed');
  });
});

describe('the lease of a test clock', () => {
  const leaseOf = (renew: () => Promise<Instant | null>): ClockLease =>
    new ClockLease({ renew } as unknown as ClockStore, row, 5);
  const never = new AbortController().signal;

  it('is renewed while the work runs', async () => {
    let renewals = 0;
    const lease = leaseOf(() => {
      renewals += 1;
      return renewals === 2 ? Promise.reject(new ConnectionLost('gone')) : resolved(LEASE_END);
    });
    await lease.runWhileHeld(never, async (signal) => {
      await until('some renewals', () => renewals > 3);
      expect(signal.aborted).toBe(false);
    });
  });

  it('ends the work when another process has claimed the clock', async () => {
    await leaseOf(() => resolved(null)).runWhileHeld(never, async (signal) => {
      await until('the end', () => signal.aborted);
    });
  });
});
