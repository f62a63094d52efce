import type { PersistentSubscriptionToStreamResolvedEvent } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { until } from '../../test/support/until';
import type { EventStoreConnection } from '../event-store/connection';
import { EVERY_TYPE } from '../kernel/event-filter';
import { fromMillis, type Instant } from '../kernel/time';
import { SystemClock } from '../ops/system-clock';
import type { Attempted, Attempts } from './attempt';
import { Consumer } from './consumer';
import type { DeliveryLog } from './delivery-log';
import type { DeliveryDestination, Destinations } from './destination';
import type { Gate } from './gate';
import { Gates } from './gates';
import type { Journal, Outcome } from './journal';
import type { Recovered } from './recovery';
import type { Work } from './work';

const AT = '2026-01-01T00:00:00.000Z' as Instant;
const HOUR = 3_600_000;

const destination: DeliveryDestination = {
  id: 'dest_1',
  scope: { tenantId: 'tnt_a', environment: 'test' },
  url: 'https://receiver.example',
  mail: null,
  filter: EVERY_TYPE,
  secrets: [],
  renderings: [],
  maxInFlight: 50,
  ratePerSecond: null,
  ordering: 'relaxed',
  startRevision: 0,
  registeredAtPosition: -1n,
  activeSince: AT,
  skipped: [],
};

/** A client's subscription to the group, as far as the consumer sees it. */
class Subscription extends Readable {
  readonly acked: string[] = [];

  constructor() {
    super({ objectMode: true, read: () => undefined });
    setImmediate(() => this.emit('confirmation'));
  }

  ack(...items: PersistentSubscriptionToStreamResolvedEvent[]): Promise<void> {
    this.acked.push(...items.map(({ event }) => event?.id ?? ''));
    return Promise.resolve();
  }

  unsubscribe(): Promise<void> {
    return Promise.resolve();
  }
}

const eventOf = (number: number) => ({
  event: {
    id: randomUUID(),
    isJson: true,
    type: 'subscription.activated',
    streamId: `tnt_a.test-subscriber_${String(number).padStart(16, '0')}`,
    revision: 0n,
    position: { commit: BigInt(number), prepare: BigInt(number) },
    data: {},
    metadata: { schema: 'v1', at: AT, command: 'c' },
  },
  link: { revision: BigInt(number) },
});

const NOTHING: Recovered = {
  pending: [],
  requested: [],
  asked: [],
  journalledTo: -1,
  failingSince: null,
};

/** One process's consumer between a store, a log and a receiver that are made up. */
class Stage {
  readonly subscriptions: Subscription[] = [];
  readonly tried: Work[] = [];
  readonly journalled: Outcome[] = [];
  private readonly clock = new SystemClock();
  private readonly gates = new Gates(this.clock);
  private readonly stop = new AbortController();
  readonly consumer: Consumer;
  private readonly ended: Promise<void>;

  constructor({
    receiver = () => Promise.resolve(204),
    recover = () => Promise.resolve(NOTHING),
    known = () => Promise.resolve(),
    limits = {},
  }: {
    readonly receiver?: (work: Work) => Promise<number>;
    readonly recover?: () => Promise<Recovered>;
    /** Until when the log is asked what it knows. */
    readonly known?: () => Promise<void>;
    readonly limits?: Partial<DeliveryDestination>;
  }) {
    const limited = { ...destination, ...limits };
    const { clock } = this;
    this.consumer = new Consumer(limited, {
      connection: {
        leaseSubscription: () => ({
          client: { subscribeToPersistentSubscriptionToStream: () => this.subscribe() },
          release: () => undefined,
        }),
      } as unknown as EventStoreConnection,
      destinations: {
        find: () => limited,
        active: () => [limited],
      } as unknown as Destinations,
      log: { recover, known: () => known().then(() => new Set()) } as unknown as DeliveryLog,
      journal: {
        record: (_id: string, outcome: Outcome) =>
          Promise.resolve(void this.journalled.push(outcome)),
      } as unknown as Journal,
      attempts: { make: (work: Work) => this.make(work, receiver) } as unknown as Attempts,
      gates: this.gates,
      clock,
    });
    this.ended = this.consumer.run(this.stop.signal);
  }

  get gate(): Gate {
    return this.gates.of(destination);
  }

  get delivered(): Set<string> {
    const ended = this.journalled.filter(({ kind }) => kind === 'delivered');
    return new Set(ended.map(({ event_id }) => event_id));
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.ended;
  }

  async subscribed(count: number): Promise<Subscription> {
    return until(`subscription ${count}`, () => this.subscriptions[count - 1]);
  }

  private subscribe(): Subscription {
    const subscription = new Subscription();
    this.subscriptions.push(subscription);
    return subscription;
  }

  private async make(work: Work, receiver: (work: Work) => Promise<number>): Promise<Attempted> {
    this.tried.push(work);
    const status = await receiver(work);
    return {
      work: { ...work, attempts: work.attempts + 1 },
      verdict: status < 300 ? { kind: 'delivered' } : { kind: 'retry', afterMs: HOUR },
      facts: { at: fromMillis(Date.now()), status_code: status },
    };
  }
}

describe('the consumer of a destination', () => {
  let stage: Stage;
  afterEach(() => stage.close());

  it('knows that it lost its place, also while it is full', async () => {
    stage = new Stage({ receiver: () => Promise.resolve(500) });
    const first = await stage.subscribed(1);
    // Ten failures open the breaker: all ten wait, and are as many as may wait then.
    for (let i = 0; i < 20; i += 1) first.push(eventOf(i));
    await until('ten failures', () => stage.journalled.length === 20);
    expect(stage.consumer.heldForMs()).not.toBeNull();

    first.emit('error', new Error('14 UNAVAILABLE: Connection dropped'));
    expect(stage.consumer.heldForMs()).toBeNull();
    await stage.subscribed(2);
    await until('the place', () => stage.consumer.heldForMs() !== null);
  });

  it('starts nothing of what it was told before it lost its place', async () => {
    let known: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (known = resolve));
    stage = new Stage({ known: () => asked });
    const first = await stage.subscribed(1);
    first.push(eventOf(1));
    await until('the place', () => stage.consumer.heldForMs() !== null);
    first.emit('error', new Error('14 UNAVAILABLE: Connection dropped'));
    known();
    await stage.subscribed(2);
    expect(stage.tried).toEqual([]);
  });

  it('takes more as soon as there is room', async () => {
    let answer = 500;
    stage = new Stage({ receiver: () => Promise.resolve(answer) });
    const group = await stage.subscribed(1);
    for (let i = 0; i < 10; i += 1) group.push(eventOf(i));
    await until('ten failures', () => stage.journalled.length === 10);
    answer = 204;
    for (let i = 10; i < 20; i += 1) group.push(eventOf(i));
    // A replay of it was accepted: the outage is over.
    stage.gate.onDelivered();
    await until('all of them', () => stage.delivered.size === 20);
  });
});
