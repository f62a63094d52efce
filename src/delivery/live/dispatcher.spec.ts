import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../../../test/support/until';
import type { EventStoreConnection } from '../../event-store/connection';
import { SystemClock } from '../../ops/system-clock';
import { Metrics } from '../../ops/metrics';
import type { Attempts } from '../attempt/attempt';
import type { DeliveryLog } from '../journal/delivery-log';
import type { Destinations, GoneDestination } from '../model/destination';
import { Dispatcher } from './dispatcher';
import { Gates } from '../schedule/gates';
import type { Journal } from '../journal/journal';
import type { RetryRequests } from '../journal/retry-requests';
import type { DestinationShares } from './shares';

interface DispatcherFakes {
  readonly gone?: readonly GoneDestination[];
  /** Replaces the store's removal of a group. */
  readonly clear?: (id: string) => Promise<void>;
  readonly looked?: () => void;
  /** Returns true if another process has joined or left. */
  readonly beat?: () => boolean;
}

/** Creates the dispatcher of a process that has no active destination. */
const dispatcherOf = ({
  gone = [],
  clear = () => Promise.resolve(),
  looked = () => undefined,
  beat = () => false,
}: DispatcherFakes): Dispatcher => {
  const clock = new SystemClock();
  return new Dispatcher({
    connection: {
      client: {
        deletePersistentSubscriptionToStream: (_stream: string, id: string) => clear(id),
      },
    } as unknown as EventStoreConnection,
    destinations: {
      listActive: () => {
        looked();
        return [];
      },
      listGone: () => gone,
      waitUntilReady: () => Promise.resolve(),
      version: 0,
      waitUntilChanged: (_since: number, signal: AbortSignal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
    } as unknown as Destinations,
    log: {
      waitUntilProjected: () => Promise.resolve(),
      forgetPending: () => Promise.resolve(),
    } as unknown as DeliveryLog,
    requests: { follow: () => Promise.resolve() } as unknown as RetryRequests,
    shares: {
      sendHeartbeat: () => Promise.resolve(beat()),
      leave: () => Promise.resolve(),
    } as unknown as DestinationShares,
    journal: {} as Journal,
    attempts: {} as Attempts,
    metrics: new Metrics(),
    gates: new Gates(clock),
    clock,
  });
};

describe('the dispatcher', () => {
  const scope = { tenantId: 'tnt_a', environment: 'test' } as const;
  const gone = Array.from({ length: 100 }, (_, i) => ({ id: `dest_${i}`, scope }));

  it('removes the groups of deleted destinations at most four at a time, each once', async () => {
    const stop = new AbortController();
    const cleared: string[] = [];
    let atOnce = 0;
    let peak = 0;
    const dispatcher = dispatcherOf({
      gone,
      clear: async (id) => {
        atOnce += 1;
        peak = Math.max(peak, atOnce);
        await nextTurn();
        atOnce -= 1;
        cleared.push(id);
      },
    });
    const ended = dispatcher.run(stop.signal);
    await until('all of them', () => cleared.length === gone.length);
    expect(new Set(cleared).size).toBe(gone.length);
    expect(peak).toBeLessThanOrEqual(4);
    stop.abort();
    await ended;
  });

  it('stops without removing the groups that are left', async () => {
    const stop = new AbortController();
    let begun = 0;
    const dispatcher = dispatcherOf({
      gone,
      clear: async () => {
        begun += 1;
        await nextTurn();
        stop.abort();
      },
    });
    await dispatcher.run(stop.signal);
    expect(begun).toBeLessThanOrEqual(4);
  });

  it('reconsiders all destinations at once when a process has gone', async () => {
    const stop = new AbortController();
    let [looks, beats] = [0, 0];
    const looked = (): void => void (looks += 1);
    const dispatcher = dispatcherOf({ looked, beat: () => (beats += 1) === 2 });
    const ended = dispatcher.run(stop.signal);
    await until('the first look', () => looks > 0);
    const before = looks;
    await until('another look', () => looks > before);
    expect(beats).toBe(2);
    stop.abort();
    await ended;
  });
});
