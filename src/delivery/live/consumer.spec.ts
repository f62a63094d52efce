import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../../../test/support/until';
import type { EventStoreConnection } from '../../event-store/connection';
import { SubscriptionWatch } from '../../event-store/subscription-watch';
import { EVERY_TYPE } from '../../kernel/event-filter';
import { fromMillis, type Instant } from '../../kernel/time';
import { SystemClock } from '../../ops/system-clock';
import type { Attempted, Attempts } from '../attempt/attempt';
import { Consumer } from './consumer';
import type { DeliveryLog } from '../journal/delivery-log';
import type { DeliveryDestination, Destinations } from '../model/destination';
import type { Gate } from '../schedule/gate';
import { Gates } from '../schedule/gates';
import type { Journal, Outcome } from '../journal/journal';
import type { PendingDelivery, RecoveredState, RequestedDelivery } from '../journal/recovery';
import type { Work } from '../journal/work';

const AT = '2026-01-01T00:00:00.000Z' as Instant;
const HOUR = 3_600_000;

const destination: DeliveryDestination = {
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
class Subscription extends Readable {
  constructor() {
    super({ objectMode: true, read: () => undefined });
    setImmediate(() => this.emit('confirmation'));
  }

  /** Ids of the acknowledged events, in order. */
  readonly acked: string[] = [];

  ack(...messages: readonly ReturnType<typeof eventOf>[]): Promise<void> {
    this.acked.push(...messages.map(({ event }) => event.id));
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
const nextOf = ({ event, link }: ReturnType<typeof eventOf>) => ({
  event: { ...event, id: randomUUID(), revision: event.revision + 1n },
  link: { revision: link.revision + 1n },
});

const pending = (eventId: string): PendingDelivery => ({
  eventId,
  eventType: 'subscription.activated',
  subscriberId: `subscriber_${eventId}`,
  sequence: 1,
  categoryRevision: 0,
  createdAt: AT,
  attempts: 2,
  manualAttempts: 0,
  firstSentAt: AT,
  notBeforeMs: Date.now() + HOUR,
  heldUntilMs: 0,
});

const requested = (eventId: string): RequestedDelivery => ({
  ...pending(eventId),
  notBeforeMs: 0,
  status: 'failed',
});

const NOTHING: RecoveredState = {
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
class Stage {
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
    recover = () => Promise.resolve(NOTHING),
    known = () => Promise.resolve(),
    stored = () => Promise.resolve(),
    limits = {},
  }: {
    readonly receiver?: (work: Work) => Promise<number>;
    readonly recover?: () => Promise<RecoveredState>;
    /** Delays the answer of the log to the question which events it knows. */
    readonly known?: () => Promise<void>;
    /** Delays the moment at which the journal has stored an outcome. */
    readonly stored?: () => Promise<void>;
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
      } as unknown as Destinations,
      log: { recover, findKnown: () => known().then(() => new Set()) } as unknown as DeliveryLog,
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
    this.running += 1;
    this.peak = Math.max(this.peak, this.running);
    const status = await receiver(work).finally(() => (this.running -= 1));
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

  it('notices that it lost the ownership while its queue is full', async () => {
    stage = new Stage({ receiver: () => Promise.resolve(500) });
    const first = await stage.subscribed(1);
    // Ten failures open the breaker. The other ten events wait then, which is the limit of an open
    // breaker.
    for (let i = 0; i < 20; i += 1) first.push(eventOf(i));
    await until('ten failures', () => stage.journalled.length === 20);
    expect(stage.consumer.ownedForMs()).not.toBeNull();

    first.emit('error', new Error('14 UNAVAILABLE: Connection dropped'));
    expect(stage.consumer.ownedForMs()).toBeNull();
    await stage.subscribed(2);
    await until('the ownership', () => stage.consumer.ownedForMs() !== null);
  });

  it('starts no attempt for a batch that it received before it lost the ownership', async () => {
    let known: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (known = resolve));
    stage = new Stage({ known: () => asked });
    const first = await stage.subscribed(1);
    first.push(eventOf(1));
    await until('the ownership', () => stage.consumer.ownedForMs() !== null);
    first.emit('error', new Error('14 UNAVAILABLE: Connection dropped'));
    known();
    await stage.subscribed(2);
    expect(stage.tried).toEqual([]);
  });

  it('attempts a delivery that became due because a wrong clock was set right', async () => {
    const sleeps = jest.spyOn(global, 'setTimeout');
    stage = new Stage({
      recover: () => Promise.resolve({ ...NOTHING, pending: [pending('evt_1')] }),
    });
    await stage.subscribed(1);
    // The due time is an hour away, and yet the consumer looks at the clock again much earlier.
    const [look] = await until(
      'a sleep',
      () => sleeps.mock.calls.find(([, ms]) => ms === 10_000) ?? null,
    );
    sleeps.mockRestore();
    expect(stage.tried).toEqual([]);
    stage.clock.wallAheadMs = HOUR + 1;
    look();
    await until('the delivery', () => stage.delivered.has('evt_1'));
  });

  it('pulls more messages as soon as the outage is over', async () => {
    let answer = 500;
    stage = new Stage({ receiver: () => Promise.resolve(answer) });
    const group = await stage.subscribed(1);
    for (let i = 0; i < 10; i += 1) group.push(eventOf(i));
    await until('ten failures', () => stage.journalled.length === 10);
    answer = 204;
    for (let i = 10; i < 20; i += 1) group.push(eventOf(i));
    // A replay was accepted, so the outage is over.
    stage.gate.onReplayDelivered();
    await until('all of them', () => stage.delivered.size === 20);
  });

  it('tries one probe per pause while the breaker is open and the event store does not answer', async () => {
    let isAway = false;
    const receiver = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(500));
    stage = new Stage({ receiver });
    const group = await stage.subscribed(1);
    for (let i = 0; i < 20; i += 1) group.push(eventOf(i));
    await until('twenty failures', () => stage.journalled.length === 20);
    isAway = true;
    for (let probes = 1; probes <= 2; probes += 1) {
      // A pause has a random length of five to ten seconds.
      stage.clock.aheadMs += 10_000;
      for (let turn = 0; turn < 50; turn += 1) {
        stage.gate.onRoom();
        await nextTurn();
      }
      expect(stage.tried).toHaveLength(20 + probes);
    }
  });

  describe('acknowledges a message that arrives twice only when its outcome is stored', () => {
    const stageWithSlowJournal = (
      receiver: () => Promise<number>,
    ): { readonly store: () => void; readonly stage: Stage } => {
      let store: () => void = () => undefined;
      const isStored = new Promise<void>((resolve) => (store = resolve));
      return { store, stage: new Stage({ receiver, stored: () => isStored }) };
    };

    /** Lets the consumer accept everything that was pushed. */
    const acceptAll = async (group: Subscription): Promise<void> => {
      await until('the messages to be pulled', () => group.readableLength === 0);
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    };

    it.each([
      ['is delivered', 204],
      ['failed and waits for its retry', 500],
    ])('if its event %s', async (_, answer) => {
      const slow = stageWithSlowJournal(() => Promise.resolve(answer));
      stage = slow.stage;
      const group = await stage.subscribed(1);
      const message = eventOf(1);
      group.push(message);
      await until('the outcome', () => stage.journalled.length === 1);
      group.push(message);
      await acceptAll(group);
      expect(group.acked).toEqual([]);
      slow.store();
      await until('the acknowledgement', () => group.acked.length > 0);
      expect(new Set(group.acked)).toEqual(new Set([message.event.id]));
      expect(stage.tried).toHaveLength(1);
    });

    it('if its event waits behind an older one of its subscriber', async () => {
      const slow = stageWithSlowJournal(() => Promise.resolve(500));
      stage = slow.stage;
      const group = await stage.subscribed(1);
      const older = eventOf(1);
      const newer = nextOf(older);
      group.push(older);
      await until('the failure', () => stage.journalled.length === 1);
      group.push(newer);
      await until('the record of the event that waits', () => stage.journalled.length === 2);
      group.push(newer);
      await acceptAll(group);
      expect(group.acked).toEqual([]);
      slow.store();
      const ids = [older, newer].map(({ event }) => event.id);
      await until('both acknowledgements', () => ids.every((id) => group.acked.includes(id)));
      // The message is acknowledged at once from now on, because the journal has its event.
      const acked = group.acked.length;
      group.push(newer);
      await until('one more acknowledgement', () => group.acked.length > acked);
    });
  });

  describe('manual retries', () => {
    it('obey the in-flight limit and alternate with live deliveries', async () => {
      const asked = Array.from({ length: 200 }, (_, i) => requested(`evt_${i}`));
      let answer: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      stage = new Stage({
        limits: { maxInFlight: 5 },
        receiver: () => answered.then(() => nextTurn(204)),
        recover: () => Promise.resolve({ ...NOTHING, requestedEnded: asked }),
      });
      const group = await stage.subscribed(1);
      await until('the first', () => stage.running === 5);
      for (let i = 0; i < 20; i += 1) group.push(eventOf(i));
      await until('the deliveries', () => group.readableLength === 0);
      answer();
      await until('all', () => stage.delivered.size === 220);
      expect(stage.peak).toBe(5);
      const live = stage.tried.map(({ attempts }, i) => (attempts === 0 ? i : 0));
      expect(Math.max(...live)).toBeLessThan(100);
    });

    it('of pending deliveries obey the in-flight limit', async () => {
      const waiting = Array.from({ length: 20 }, (_, i) => pending(`evt_${i}`));
      stage = new Stage({
        limits: { maxInFlight: 5 },
        receiver: () => nextTurn(204),
        recover: () => Promise.resolve({ ...NOTHING, pending: waiting }),
      });
      await until('the ownership', () => stage.consumer.ownedForMs() !== null);
      await nextTurn();
      for (const { eventId } of waiting) stage.consumer.retryNow({ eventId });
      await until('all', () => stage.delivered.size === 20);
      expect(stage.peak).toBe(5);
    });

    it('are attempted when they were requested during recovery', async () => {
      let found: (recovered: RecoveredState) => void = () => undefined;
      const recovered = new Promise<RecoveredState>((resolve) => (found = resolve));
      stage = new Stage({ recover: () => recovered });
      await until('the ownership', () => stage.consumer.ownedForMs() !== null);
      for (const eventId of ['evt_1', 'evt_2']) stage.consumer.retryNow({ eventId });
      found({ ...NOTHING, pending: ['evt_1', 'evt_2'].map(pending), requestedPending: ['evt_2'] });
      await until('both', () => stage.delivered.size === 2);
      // The second event was requested live and found in the log. Both are one request.
      expect(stage.tried.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2']);
      expect(stage.tried.map(({ manualAttempts: manualAttempts }) => manualAttempts)).toEqual([
        1, 1,
      ]);
    });

    it('of a delivery in flight are attempted after that attempt', async () => {
      const answers: (() => void)[] = [];
      stage = new Stage({
        receiver: () =>
          new Promise((resolve) =>
            answers.push(() => {
              resolve(204);
            }),
          ),
      });
      await stage.subscribed(1);
      await until('the ownership', () => stage.consumer.ownedForMs() !== null);
      await nextTurn();
      for (let i = 0; i < 3; i += 1) stage.consumer.retryNow(requested('evt_1'));
      await until('the first', () => answers.length === 1);
      answers[0]?.();
      await until('one more', () => answers.length === 2);
      answers[1]?.();
      await until('both', () => stage.journalled.length === 2);
      expect(stage.tried.map(({ attempts }) => attempts)).toEqual([2, 3]);
      expect(stage.journalled.map(({ repeated }) => repeated)).toEqual([undefined, true]);
    });
  });
});
