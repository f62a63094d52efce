import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { until } from './until';
import type { EventStoreConnection } from '../../src/event-store/connection';
import { SubscriptionWatch } from '../../src/event-store/subscription-watch';
import { EVERY_TYPE } from '../../src/kernel/event-filter';
import { fromMillis, type Instant } from '../../src/kernel/time';
import { SystemClock } from '../../src/ops/system-clock';
import type { Attempted, Attempts } from '../../src/delivery/attempt/attempt';
import { Consumer } from '../../src/delivery/live/consumer';
import type { DeliveryLog, LatestDelivery } from '../../src/delivery/journal/delivery-log';
import type { DeliveryDestination, Destinations } from '../../src/delivery/model/destination';
import type { Verdict } from '../../src/delivery/model/verdict';
import type { Gate } from '../../src/delivery/schedule/gate';
import { Gates } from '../../src/delivery/schedule/gates';
import type { Journal, Outcome } from '../../src/delivery/journal/journal';
import type {
  PendingDelivery,
  RecoveredState,
  RequestedDelivery,
} from '../../src/delivery/journal/recovery';
import type { Work } from '../../src/delivery/journal/work';

const AT = '2026-01-01T00:00:00.000Z' as Instant;
export const HOUR = 3_600_000;

export const destination: DeliveryDestination = {
  id: 'dest_1',
  scope: { tenantId: 'tnt_a', environment: 'test' },
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
  activeSince: AT,
  skipped: [],
};

/** A fake of the client's subscription to the group. */
export class Subscription extends Readable {
  constructor() {
    super({ objectMode: true, read: () => undefined });
    setImmediate(() => this.emit('confirmation'));
  }

  /** Ids of the acknowledged events, in order. */
  readonly acked: string[] = [];

  ack(...messages: readonly ReturnType<typeof buildNumberedEvent>[]): Promise<void> {
    this.acked.push(...messages.map(({ event }) => event.id));
    return Promise.resolve();
  }

  unsubscribe(): Promise<void> {
    return Promise.resolve();
  }
}

export const buildNumberedEvent = (number: number) => ({
  event: {
    id: randomUUID(),
    isJson: true,
    created: new Date(AT),
    type: 'subscription.activated',
    streamId: `tnt_a.test-subscriber_${String(number).padStart(16, '0')}`,
    revision: 0n,
    position: { commit: BigInt(number), prepare: BigInt(number) },
    data: {},
    metadata: { schema: 'v1', at: AT, command: 'c' },
  },
  link: { revision: BigInt(number) },
});

/** The next event of the same subscriber. */
export const nextOf = ({ event, link }: ReturnType<typeof buildNumberedEvent>) => ({
  event: { ...event, id: randomUUID(), revision: event.revision + 1n },
  link: { revision: link.revision + 1n },
});

export const buildPending = (eventId: string): PendingDelivery => ({
  eventId,
  eventType: 'subscription.activated',
  subscriberId: `subscriber_${eventId}`,
  sequence: 1,
  categoryRevision: 0,
  createdAt: AT,
  attempts: 2,
  unscheduledAttempts: 0,
  firstSentAt: AT,
  notBeforeMs: Date.now() + HOUR,
  heldUntilMs: 0,
});

export const buildRequested = (eventId: string): RequestedDelivery => ({
  ...buildPending(eventId),
  notBeforeMs: 0,
  status: 'failed',
});

export const NOTHING: RecoveredState = {
  pending: [],
  requestedEnded: [],
  requestedPending: [],
  journalledTo: -1,
  failure: null,
  failing: [],
};

class AheadClock extends SystemClock {
  aheadMs = 0;
  wallAheadMs = 0;

  override nowMs(): number {
    return super.nowMs() + this.wallAheadMs;
  }

  override monotonicMs(): number {
    return super.monotonicMs() + this.aheadMs;
  }
}

/** The consumer of one process with a fake store, a fake log and a fake receiver. */
export class ConsumerStage {
  readonly subscriptions: Subscription[] = [];
  readonly tried: Work[] = [];
  readonly journalled: Outcome[] = [];
  readonly clock = new AheadClock();
  private readonly gates = new Gates(this.clock);
  private readonly stop = new AbortController();
  readonly consumer: Consumer;
  private readonly ended: Promise<void>;
  running = 0;
  peak = 0;

  constructor({
    receiver = () => Promise.resolve(204),
    loadRecoveredState = () => Promise.resolve(NOTHING),
    known = () => Promise.resolve(),
    stored = () => Promise.resolve(),
    disabled = () => Promise.resolve(),
    limits = {},
  }: {
    readonly receiver?: (work: Work) => Promise<number>;
    readonly loadRecoveredState?: () => Promise<RecoveredState>;
    /** Delays the answer of the log to the question which events it knows. */
    readonly known?: () => Promise<void>;
    /** Delays the moment at which the journal has stored an outcome. */
    readonly stored?: () => Promise<void>;
    /** Delays the moment at which the disabling of the destination is stored. */
    readonly disabled?: () => Promise<void>;
    readonly limits?: Partial<DeliveryDestination>;
  }) {
    const limited = { ...destination, ...limits };
    const { clock } = this;
    this.consumer = new Consumer(limited, {
      connection: {
        subscriptions: new SubscriptionWatch(),
        leaseSubscription: () => ({
          client: { subscribeToPersistentSubscriptionToStream: () => this.subscribe() },
          release: () => undefined,
        }),
      } as unknown as EventStoreConnection,
      destinations: {
        find: () => limited,
        listActive: () => [limited],
        disable: disabled,
      } as unknown as Destinations,
      log: {
        loadRecoveredState,
        findKnown: () => known().then(() => new Set()),
        findLatest: (_: string, eventId: string) => Promise.resolve(this.findLatest(eventId)),
      } as unknown as DeliveryLog,
      journal: {
        record: (_id: string, outcome: Outcome) => {
          this.journalled.push(outcome);
          return stored();
        },
      } as unknown as Journal,
      attempts: { make: (work: Work) => this.make(work, receiver) } as unknown as Attempts,
      gates: this.gates,
      clock,
    });
    this.ended = this.consumer.run(this.stop.signal);
  }

  get gate(): Gate {
    return this.gates.gateFor(destination);
  }

  get delivered(): Set<string> {
    const ended = this.journalled.filter(({ kind }) => kind === 'delivered');
    return new Set(ended.map(({ event_id }) => event_id));
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.ended;
  }

  async waitForSubscription(count: number): Promise<Subscription> {
    return until(`subscription ${count}`, () => this.subscriptions[count - 1]);
  }

  private findLatest(eventId: string): LatestDelivery | null {
    const last = this.journalled.findLast(({ event_id }) => event_id === eventId);
    return last?.status == null ? null : { attempts: last.attempt, status: last.status };
  }

  private subscribe(): Subscription {
    const subscription = new Subscription();
    this.subscriptions.push(subscription);
    return subscription;
  }

  private async make(work: Work, receiver: (work: Work) => Promise<number>): Promise<Attempted> {
    this.tried.push(work);
    this.running += 1;
    this.peak = Math.max(this.peak, this.running);
    const status = await receiver(work).finally(() => (this.running -= 1));
    return {
      work: { ...work, attempts: work.attempts + 1 },
      verdict: toVerdict(status),
      facts: { at: fromMillis(Date.now()), status_code: status },
    };
  }
}

const toVerdict = (status: number): Verdict => {
  if (status === 410) return { kind: 'gone' };
  return status < 300 ? { kind: 'delivered' } : { kind: 'retry', afterMs: HOUR };
};
