import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../../../test/support/until';
import type { EventStoreConnection } from '../../event-store/connection';
import { SubscriptionWatch } from '../../event-store/subscription-watch';
import { EVERY_TYPE } from '../../kernel/event-filter';
import type { Instant } from '../../kernel/time';
import { SystemClock } from '../../ops/system-clock';
import { Metrics } from '../../ops/metrics';
import type { Attempts } from '../attempt/attempt';
import type { DeliveryLog } from '../journal/delivery-log';
import type {
  DeliveryDestination,
  Destinations,
  PermanentlyDeletedDestination,
} from '../model/destination';
import { Dispatcher } from './dispatcher';
import { Gates } from '../schedule/gates';
import type { Journal } from '../journal/journal';
import type { RetryRequests } from '../journal/retry-requests';
import type { DestinationShares } from './shares';

interface DispatcherFakes {
  readonly active?: readonly DeliveryDestination[];
  readonly failing?: () => Promise<string[]>;
  /** Called with the id of a destination when its group is subscribed to. */
  readonly subscribed?: (id: string) => void;
  readonly gone?: readonly PermanentlyDeletedDestination[];
  /** Replaces the store's removal of a group. */
  readonly removeGroup?: (id: string) => Promise<void>;
  readonly looked?: () => void;
  /** Returns true if another process has joined or left. */
  readonly hasChangedMembers?: () => boolean;
}

/** Creates the dispatcher of a process. Its event store accepts no subscription. */
const dispatcherOf = ({
  active = [],
  failing = () => Promise.resolve([]),
  subscribed = () => undefined,
  gone = [],
  removeGroup = () => Promise.resolve(),
  looked = () => undefined,
  hasChangedMembers = () => false,
}: DispatcherFakes): Dispatcher => {
  const clock = new SystemClock();
  return new Dispatcher({
    connection: {
      subscriptions: new SubscriptionWatch(),
      leaseSubscription: () => ({
        client: {
          subscribeToPersistentSubscriptionToStream: (_stream: string, id: string) => {
            subscribed(id);
            throw new Error('no answer');
          },
        },
        release: () => undefined,
      }),
      client: {
        deletePersistentSubscriptionToStream: (_stream: string, id: string) => removeGroup(id),
      },
    } as unknown as EventStoreConnection,
    destinations: {
      listActive: () => {
        looked();
        return active;
      },
      find: (id: string) => active.find((each) => each.id === id),
      listPermanentlyDeleted: () => gone,
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
      findFailing: () => failing(),
      waitUntilProjected: () => Promise.resolve(),
      forgetPending: () => Promise.resolve(),
    } as unknown as DeliveryLog,
    requests: { follow: () => Promise.resolve() } as unknown as RetryRequests,
    shares: {
      sendHeartbeat: () => Promise.resolve(hasChangedMembers()),
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

  const destinationOf = (id: string): DeliveryDestination => ({
    id,
    scope,
    target: { type: 'https_webhook', url: 'https://receiver.example' },
    secrets: [],
    filter: EVERY_TYPE,
    renderings: [],
    maxInFlight: 50,
    ratePerSecond: null,
    ordering: 'relaxed',
    sendsTraceHeaders: true,
    startRevision: 0,
    registeredAtPosition: -1n,
    activeSince: '2026-01-01T00:00:00.000Z' as Instant,
    skipped: [],
  });
  const active = ['dest_failing', 'dest_healthy'].map(destinationOf);

  it('starts a destination that works at once, and one that failed before the start later', async () => {
    const stop = new AbortController();
    const startedAtMs = new Map<string, number>();
    const dispatcher = dispatcherOf({
      active,
      failing: () => Promise.resolve(['dest_failing']),
      subscribed: (id) => {
        if (!startedAtMs.has(id)) startedAtMs.set(id, performance.now());
      },
    });
    const ended = dispatcher.run(stop.signal);
    await until('both', () => startedAtMs.size === 2);
    const [healthy = NaN, failing = NaN] = ['dest_healthy', 'dest_failing'].map((id) =>
      startedAtMs.get(id),
    );
    expect(failing - healthy).toBeGreaterThanOrEqual(90);
    stop.abort();
    await ended;
  });

  it('starts every destination if it cannot be read which ones fail', async () => {
    const stop = new AbortController();
    const started = new Set<string>();
    const dispatcher = dispatcherOf({
      active,
      failing: () => Promise.reject(new Error('no database')),
      subscribed: (id) => void started.add(id),
    });
    const ended = dispatcher.run(stop.signal);
    await until('both', () => started.size === 2);
    stop.abort();
    await ended;
  });

  it('removes the groups of deleted destinations at most four at a time, each once', async () => {
    const stop = new AbortController();
    const cleared: string[] = [];
    let atOnce = 0;
    let peak = 0;
    const dispatcher = dispatcherOf({
      gone,
      removeGroup: async (id) => {
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
      removeGroup: async () => {
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
    const dispatcher = dispatcherOf({ looked, hasChangedMembers: () => (beats += 1) === 2 });
    const ended = dispatcher.run(stop.signal);
    await until('the first look', () => looks > 0);
    const before = looks;
    await until('another look', () => looks > before);
    expect(beats).toBe(2);
    stop.abort();
    await ended;
  });
});
