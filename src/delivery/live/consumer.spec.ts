import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../../../test/support/until';
import type { RecoveredState } from '../journal/recovery';
import { UnknownEventType } from '../model/render';
import {
  HOUR,
  Subscription,
  buildNumberedEvent,
  nextOf,
  buildPending,
  buildRequested,
  NOTHING,
  ConsumerStage,
} from '../../../test/support/consumer-stage';

describe('the consumer of a destination', () => {
  let stage: ConsumerStage;
  afterEach(() => stage.close());

  it('sends nothing more after a 410, and plans no next attempt for those underway', async () => {
    let storeDisabling: () => void = () => undefined;
    let answerSlowly: (status: number) => void = () => undefined;
    const slow = new Promise<number>((resolve) => (answerSlowly = resolve));
    stage = new ConsumerStage({
      receiver: ({ sequence, categoryRevision }) =>
        categoryRevision === 1 && sequence === 1 ? slow : Promise.resolve(410),
      disabled: () => new Promise((resolve) => (storeDisabling = resolve)),
      limits: { maxInFlight: 2 },
    });
    const subscription = await stage.waitForSubscription(1);
    subscription.push(buildNumberedEvent(1));
    await until('an attempt underway', () => stage.tried.length === 1);
    subscription.push(buildNumberedEvent(2));
    await until('the 410', () => stage.tried.length === 2 && stage.running === 1);
    subscription.push(buildNumberedEvent(3));
    answerSlowly(500);
    await until('both answers', () => stage.running === 0);
    await nextTurn();
    expect(stage.journalled).toEqual([]);
    storeDisabling();
    await until('both outcomes', () => stage.journalled.length === 2);
    expect(stage.journalled.map(({ next_attempt_at }) => next_attempt_at)).toEqual([null, null]);
    expect(stage.tried).toHaveLength(2);
  });

  it('notices that it lost the ownership while its queue is full', async () => {
    stage = new ConsumerStage({ receiver: () => Promise.resolve(500) });
    const first = await stage.waitForSubscription(1);
    // Ten failures open the breaker. The other ten events wait then, which is the limit of an open
    // breaker.
    for (let i = 0; i < 20; i += 1) first.push(buildNumberedEvent(i));
    await until('ten failures', () => stage.journalled.length === 20);
    expect(stage.consumer.ownedForMs()).not.toBeNull();

    first.emit('error', new Error('14 UNAVAILABLE: Connection dropped'));
    expect(stage.consumer.ownedForMs()).toBeNull();
    await stage.waitForSubscription(2);
    await until('the ownership', () => stage.consumer.ownedForMs() !== null);
  });

  /** Twenty events that cannot be prepared, and then one that can. */
  const pushAfterFailures = async (failure: Error): Promise<void> => {
    stage = new ConsumerStage({
      receiver: ({ categoryRevision }) =>
        categoryRevision < 20 ? Promise.reject(failure) : Promise.resolve(204),
    });
    const subscription = await stage.waitForSubscription(1);
    for (let i = 0; i < 20; i += 1) subscription.push(buildNumberedEvent(i));
    await until('the failures', () => stage.tried.length === 20 && stage.running === 0);
    subscription.push(buildNumberedEvent(20));
  };

  it('delivers the other events while many of a later version wait', async () => {
    await pushAfterFailures(new UnknownEventType('payment.invented'));
    await until('the delivery of the other event', () => stage.delivered.size === 1, 2_000);
  });

  it('pauses all deliveries when many cannot be prepared because the store does not answer', async () => {
    await pushAfterFailures(new Error('14 UNAVAILABLE: Connection dropped'));
    await until('the arrival of the other event', () => stage.consumer.countBacklog().ready > 0);
    await nextTurn();
    expect(stage.tried).toHaveLength(20);
  });

  it('starts no attempt for a batch that it received before it lost the ownership', async () => {
    let known: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (known = resolve));
    stage = new ConsumerStage({ known: () => asked });
    const first = await stage.waitForSubscription(1);
    first.push(buildNumberedEvent(1));
    await until('the ownership', () => stage.consumer.ownedForMs() !== null);
    first.emit('error', new Error('14 UNAVAILABLE: Connection dropped'));
    known();
    await stage.waitForSubscription(2);
    expect(stage.tried).toEqual([]);
  });

  it('attempts a delivery that became due because a wrong clock was set right', async () => {
    const sleeps = jest.spyOn(global, 'setTimeout');
    stage = new ConsumerStage({
      loadRecoveredState: () => Promise.resolve({ ...NOTHING, pending: [buildPending('evt_1')] }),
    });
    await stage.waitForSubscription(1);
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
    stage = new ConsumerStage({ receiver: () => Promise.resolve(answer) });
    const group = await stage.waitForSubscription(1);
    for (let i = 0; i < 10; i += 1) group.push(buildNumberedEvent(i));
    await until('ten failures', () => stage.journalled.length === 10);
    answer = 204;
    for (let i = 10; i < 20; i += 1) group.push(buildNumberedEvent(i));
    // A replay was accepted, so the outage is over.
    stage.gate.onReplayDelivered();
    await until('all of them', () => stage.delivered.size === 20);
  });

  it('tries one probe per pause while the breaker is open and the event store does not answer', async () => {
    let isAway = false;
    const receiver = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(500));
    stage = new ConsumerStage({ receiver });
    const group = await stage.waitForSubscription(1);
    for (let i = 0; i < 20; i += 1) group.push(buildNumberedEvent(i));
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

  describe('while the breaker is open', () => {
    const openBreaker = async (): Promise<void> => {
      stage = new ConsumerStage({ receiver: () => Promise.resolve(500) });
      const group = await stage.waitForSubscription(1);
      for (let i = 0; i < 10; i += 1) group.push(buildNumberedEvent(i));
      await until('ten failures', () => stage.journalled.length === 10);
    };

    it('records a failed probe, which does not count in the schedule', async () => {
      await openBreaker();
      stage.clock.aheadMs += 10_000;
      stage.gate.onRoom();
      await until('the record of the probe', () => stage.journalled.length === 11);
      const [last] = stage.journalled.slice(-1);
      expect(last).toMatchObject({ kind: 'retrying', attempt: 2, by_hand: 1, status_code: 500 });
      const [first] = stage.journalled;
      expect(last?.next_attempt_at).toBe(
        stage.journalled.find((each) => each.event_id === last?.event_id)?.next_attempt_at,
      );
      expect(first).not.toHaveProperty('by_hand');
    });

    it('records no event that only waits behind a failed probe', async () => {
      stage = new ConsumerStage({
        limits: { maxInFlight: 10 },
        receiver: () => Promise.resolve(500),
      });
      const group = await stage.waitForSubscription(1);
      const probed = buildNumberedEvent(10);
      for (let i = 0; i < 10; i += 1) group.push(buildNumberedEvent(i));
      for (const each of [probed, nextOf(probed)]) group.push(each);
      await until('ten failures', () => stage.journalled.length === 10);
      stage.clock.aheadMs += 10_000;
      stage.gate.onRoom();
      await until('the record of the probe', () => stage.journalled.length > 10);
      await nextTurn();
      expect(stage.journalled.slice(10)).toMatchObject([
        { kind: 'retrying', category_revision: 10, by_hand: 1 },
      ]);
    });

    it('records a manual retry that fails, and leaves the time of the next attempt', async () => {
      await openBreaker();
      const [first] = stage.journalled;
      stage.consumer.retryNow({ eventId: first?.event_id ?? '' });
      await until('the record of the manual retry', () => stage.journalled.length === 11);
      expect(stage.journalled.at(-1)).toMatchObject({
        event_id: first?.event_id,
        attempt: 2,
        by_hand: 1,
        next_attempt_at: first?.next_attempt_at,
      });
    });
  });

  describe('acknowledges a message that arrives twice only when its outcome is stored', () => {
    const stageWithSlowJournal = (
      receiver: () => Promise<number>,
    ): { readonly store: () => void; readonly stage: ConsumerStage } => {
      let store: () => void = () => undefined;
      const isStored = new Promise<void>((resolve) => (store = resolve));
      return { store, stage: new ConsumerStage({ receiver, stored: () => isStored }) };
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
      const group = await stage.waitForSubscription(1);
      const message = buildNumberedEvent(1);
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
      const group = await stage.waitForSubscription(1);
      const older = buildNumberedEvent(1);
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
      const asked = Array.from({ length: 200 }, (_, i) => buildRequested(`evt_${i}`));
      let answer: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      stage = new ConsumerStage({
        limits: { maxInFlight: 5 },
        receiver: () => answered.then(() => nextTurn(204)),
        loadRecoveredState: () => Promise.resolve({ ...NOTHING, requestedEnded: asked }),
      });
      const group = await stage.waitForSubscription(1);
      await until('the first', () => stage.running === 5);
      for (let i = 0; i < 20; i += 1) group.push(buildNumberedEvent(i));
      await until('the deliveries', () => group.readableLength === 0);
      answer();
      await until('all', () => stage.delivered.size === 220);
      expect(stage.peak).toBe(5);
      const live = stage.tried.map(({ attempts }, i) => (attempts === 0 ? i : 0));
      expect(Math.max(...live)).toBeLessThan(100);
    });

    it('of pending deliveries obey the in-flight limit', async () => {
      const waiting = Array.from({ length: 20 }, (_, i) => buildPending(`evt_${i}`));
      stage = new ConsumerStage({
        limits: { maxInFlight: 5 },
        receiver: () => nextTurn(204),
        loadRecoveredState: () => Promise.resolve({ ...NOTHING, pending: waiting }),
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
      stage = new ConsumerStage({ loadRecoveredState: () => recovered });
      await until('the ownership', () => stage.consumer.ownedForMs() !== null);
      for (const eventId of ['evt_1', 'evt_2']) stage.consumer.retryNow({ eventId });
      found({
        ...NOTHING,
        pending: ['evt_1', 'evt_2'].map(buildPending),
        requestedPending: ['evt_2'],
      });
      await until('both', () => stage.delivered.size === 2);
      // The second event was requested live and found in the log. Both are one request.
      expect(stage.tried.map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2']);
      expect(
        stage.tried.map(({ unscheduledAttempts: unscheduledAttempts }) => unscheduledAttempts),
      ).toEqual([1, 1]);
    });

    it('that were asked for at once have different numbers', async () => {
      stage = new ConsumerStage({});
      await stage.waitForSubscription(1);
      await until('the ownership', () => stage.consumer.ownedForMs() !== null);
      await nextTurn();
      // Both requests were made when the log had two attempts.
      stage.consumer.retryNow(buildRequested('evt_1'));
      await until('the first', () => stage.journalled.length === 1);
      stage.consumer.retryNow(buildRequested('evt_1'));
      await until('the second', () => stage.journalled.length === 2);
      expect(stage.journalled.map(({ attempt }) => attempt)).toEqual([3, 4]);
    });

    it('of a delivery in flight are attempted after that attempt', async () => {
      const answers: (() => void)[] = [];
      stage = new ConsumerStage({
        receiver: () =>
          new Promise((resolve) =>
            answers.push(() => {
              resolve(204);
            }),
          ),
      });
      await stage.waitForSubscription(1);
      await until('the ownership', () => stage.consumer.ownedForMs() !== null);
      await nextTurn();
      for (let i = 0; i < 3; i += 1) stage.consumer.retryNow(buildRequested('evt_1'));
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
