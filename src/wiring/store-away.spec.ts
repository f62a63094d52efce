import { EventEmitter } from 'node:events';
import type { EventStoreConnection } from '../event-store/connection';
import { reportFailure, warnOfFailure } from '../event-store/failures';
import { keepSubscribed } from '../event-store/keep-subscribed';
import { SubscriptionWatch } from '../event-store/subscription-watch';
import { DomainError } from '../kernel/errors';
import { log } from '../ops/log';
import { SystemClock } from '../ops/system-clock';
import { RowNotifier } from '../read-models/row-notifier';
import { Alerter } from '../services/alerting/alerter';
import { ClockAdvancer } from '../services/clock-advancing/clock.advancer';
import { CohortEvaluator } from '../services/cohort-evaluation/cohort.evaluator';
import { Eraser } from '../services/erasure/eraser';
import { Importer } from '../services/importing/importer';
import { Rewrapper } from '../services/key-rotation/rewrapper';
import { Timers } from '../services/timers/timers';

// Jest replaces the global timers only. The loops pause with those of `node:timers/promises`.
jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) reject(signal.reason as Error);
      const timer = setTimeout(() => {
        resolve(value);
      }, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    }),
}));

const MINUTE_MS = 60_000;
const DESTINATIONS = 100;

/** The error of gRPC if no server listens at the address. */
const unavailable = (): Error =>
  Object.assign(new Error('14 UNAVAILABLE: No connection established'), {
    code: 14,
    details: 'No connection established',
  });

/** A fake part whose calls all fail because the store is unavailable, except the given ones. */
const away = (given: object = {}): never =>
  new Proxy(given, {
    get: (target, name): unknown =>
      name in target ? (Reflect.get(target, name) as unknown) : () => Promise.reject(unavailable()),
  }) as never;

const ready = { waitUntilReady: () => Promise.resolve() };

describe('while the event store is away', () => {
  let stopping: AbortController;
  let lines: readonly [string, object, string][];

  beforeEach(() => {
    jest.useFakeTimers();
    stopping = new AbortController();
    const said: [string, object, string][] = [];
    lines = said;
    for (const level of ['warn', 'error'] as const) {
      jest.spyOn(log, level).mockImplementation(((line: object, message: string) => {
        said.push([level, line, message]);
      }) as never);
    }
  });
  afterEach(() => {
    stopping.abort();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  /** Starts every loop that polls, and the subscriptions of many destinations. */
  const loops = (): readonly Promise<void>[] => {
    const { signal } = stopping;
    const clock = new SystemClock();
    const database = away({ rowNotifier: new RowNotifier() });
    const connection: EventStoreConnection = away({
      subscriptions: new SubscriptionWatch(),
      leaseSubscription: () => {
        throw unavailable();
      },
    });
    const listen = () => new RowNotifier().listen('');
    const parts = { clock, connection, database, tenants: ready };
    const timers = new Timers(away(parts));
    const advancer = new ClockAdvancer(
      away({
        ...parts,
        runtime: { isAlone: true },
        store: away({ listen, notifiesAll: () => false }),
      }),
    );
    const importer = new Importer(
      away({
        ...parts,
        directory: {
          ...ready,
          listFailedSince: () => [],
          listAbandoned: () => [],
          findNext: () => ({ id: 'imp_1', scope: { tenantId: 'tnt_1', environment: 'test' } }),
        },
        aggregates: away(),
        newCommandId: () => '1',
      }),
    );
    const cohorts = new CohortEvaluator(
      away({
        ...parts,
        projector: {
          projectedTo: () => 0n,
          isCurrent: () => true,
          waitUntilBeyond: (_: bigint, pause: AbortSignal) =>
            new Promise((_resolve, reject) => {
              if (pause.aborted) reject(pause.reason as Error);
              pause.addEventListener('abort', reject);
            }),
        },
        directory: { ...ready, version: 1, listAll: () => [{ id: 'coh_1' }] },
        store: away(),
      }),
    );
    const alerter = new Alerter(away({ ...parts, deferred: away({ listen }) }));
    const eraser = new Eraser(away(parts));
    const rewrapper = new Rewrapper(
      away({
        ...parts,
        ring: away({ state: { rotation: { startedAt: clock.now() } } }),
        isProjector: () => true,
        oldKeyUsableForMs: MINUTE_MS,
        places: [away()],
      }),
    );
    const subscriptions = Array.from({ length: DESTINATIONS }, (_, i) =>
      keepSubscribed({ connection, name: `destination dst_${i}`, signal }, () =>
        Promise.reject(unavailable()),
      ),
    );
    return [timers, advancer, importer, cohorts, alerter, eraser, rewrapper]
      .map((loop) => loop.run(signal))
      .concat(subscriptions);
  };

  it('one line a minute reports it for all loops and subscriptions together', async () => {
    EventEmitter.setMaxListeners(0, stopping.signal);
    const running = loops();
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    expect(lines.map(([level, , message]) => [level, message])).toEqual(
      Array(3).fill(['warn', 'the event store cannot be reached or does not answer']),
    );
    const [, , [, last]] = lines as [unknown, unknown, [string, object, string]];
    expect(last).toMatchObject({ times: expect.any(Number) as number });
    stopping.abort();
    // The gathered warnings are written now, so that they do not affect the next case.
    await jest.advanceTimersByTimeAsync(2 * MINUTE_MS);
    await Promise.all(running);
  });

  it('a refusal caused by it is the same line, and another failure has its own line', () => {
    const refusal = new DomainError('service_unavailable', 'Repeat the request.');
    refusal.cause = unavailable();
    reportFailure('alert not sent', 'evt_1', refusal);
    reportFailure('alert not sent', 'evt_2', new Error('no such template'));
    warnOfFailure('a call failed', 'evt_3', new DomainError('service_unavailable', 'Too many.'));
    expect(lines.map(([level, , message]) => [level, message])).toEqual([
      ['warn', 'the event store cannot be reached or does not answer'],
      ['error', 'alert not sent'],
      ['warn', 'a call failed'],
    ]);
  });
});
