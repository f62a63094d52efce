import fc from 'fast-check';
import {
  createGroupState,
  type Delivery,
  type FetchedPage,
  type GroupEffect,
  type GroupMessage,
  type GroupState,
  type NackAction,
} from './group-state';
import { step } from './reducer';
import { STRATEGIES, type ConsumerStrategy, type GroupSettings } from './settings';

/** An event of the source, by its position. */
interface Payload {
  readonly position: number;
}

interface ParkedEntry {
  readonly position: number;
  /** True once its replay was acknowledged or skipped. */
  settled: boolean;
}

const SETTINGS: GroupSettings = {
  resolveLinks: false,
  startFrom: 0,
  extraStatistics: false,
  messageTimeoutMs: 1_000,
  maxRetryCount: 2,
  checkpointAfterMs: 500,
  minCheckpointCount: 2,
  maxCheckpointCount: 5,
  maxSubscriberCount: 0,
  liveBufferSize: 6,
  readBatchSize: 3,
  historyBufferSize: 8,
  strategy: 'RoundRobin',
};

/**
 * A simulation of a group with its log, its disk and its clients. It performs the reducer's effects,
 * tracks every event on its own, and compares both after each step.
 */
class SimulatedGroup {
  state: GroupState<Payload>;
  /** The number of events in the log. A filter drops every third one. */
  eventCount = 0;
  nowMs = 0;
  /** Positions of events that were acknowledged, skipped or parked on disk. */
  readonly completed = new Set<number>();
  readonly parkedStream: ParkedEntry[] = [];
  forgottenBefore = 0;
  checkpoint: number | undefined;
  /** Events that clients received and did not answer. */
  unanswered: Delivery<Payload>[] = [];
  parking: Delivery<Payload>[] = [];
  consumers: number[] = [];
  deliveries = 0;
  #nextConsumer = 1;
  readonly #retries = new Map<string, number>();

  constructor(private readonly settings: GroupSettings) {
    this.state = this.createState();
  }

  createState(): GroupState<Payload> {
    return createGroupState({
      settings: this.settings,
      after: this.checkpoint ?? -1,
      checkpoint: this.checkpoint,
      nowMs: this.nowMs,
    });
  }

  /** Simulates a crash and a restart, after which only the state on disk is left. */
  restart(): void {
    this.state = this.createState();
    this.unanswered = [];
    this.parking = [];
    this.consumers = [];
    this.#retries.clear();
  }

  send(message: GroupMessage<Payload>): void {
    const before = this.state;
    const snapshot = JSON.stringify(before);
    const { state, effects } = step(before, message, this.nowMs);
    expect(JSON.stringify(before)).toBe(snapshot);
    this.state = state;
    for (const effect of effects) this.perform(effect);
    this.checkInvariants();
  }

  connect(slots: number): void {
    const consumerId = this.#nextConsumer++;
    this.consumers.push(consumerId);
    this.send({ kind: 'connected', consumerId, slots });
  }

  disconnect(consumerId: number): void {
    this.consumers = this.consumers.filter((id) => id !== consumerId);
    const lost = this.state.inFlight.filter((entry) => entry.consumerId === consumerId);
    this.unanswered = this.unanswered.filter(
      (delivery) => !lost.some((entry) => entry.delivery.id === delivery.id),
    );
    this.send({ kind: 'disconnected', consumerId });
  }

  publish(count: number): void {
    const after = this.eventCount - 1;
    this.eventCount += count;
    if (this.state.live) this.send({ kind: 'live', page: this.page(after, this.eventCount) });
  }

  ack(deliveries: readonly Delivery<Payload>[]): void {
    for (const delivery of deliveries) this.markCompleted(delivery);
    this.unanswered = this.unanswered.filter((each) => !deliveries.includes(each));
    this.send({ kind: 'ack', ids: deliveries.map(({ id }) => id) });
  }

  nack(deliveries: readonly Delivery<Payload>[], action: NackAction): void {
    if (action === 'skip') for (const delivery of deliveries) this.markCompleted(delivery);
    this.unanswered = this.unanswered.filter((each) => !deliveries.includes(each));
    this.send({ kind: 'nack', ids: deliveries.map(({ id }) => id), action, reason: 'x' });
  }

  tick(ms: number): void {
    this.nowMs += ms;
    const expired = this.state.inFlight.filter(({ dueMs }) => dueMs <= this.nowMs);
    this.unanswered = this.unanswered.filter(
      ({ id }) => !expired.some(({ delivery }) => delivery.id === id),
    );
    this.send({ kind: 'tick' });
  }

  finishParking(succeeds: boolean): void {
    const delivery = this.parking.shift();
    if (!delivery) return;
    if (!succeeds) {
      this.send({ kind: 'park-failed', delivery });
      return;
    }
    this.parkedStream.push({ position: delivery.payload.position, settled: false });
    this.markCompleted(delivery);
    this.send({ kind: 'parked', delivery });
  }

  replay(): void {
    const from = Math.max(this.forgottenBefore, this.state.replayedUpTo + 1);
    const upTo = this.parkedStream.length - 1;
    if (from > upTo) return;
    const events = this.parkedStream.slice(from).map(({ position }, i) => ({
      id: `parked-${from + i}`,
      parkedRevision: from + i,
      pin: position,
      payload: { position },
    }));
    this.send({ kind: 'replay', events, upTo });
  }

  /** Answers all events until no more are delivered. */
  answerEverything(): void {
    this.connect(100);
    for (let quiet = 0; quiet < 3;) {
      const before = this.deliveries;
      while (this.parking.length > 0) this.finishParking(true);
      if (this.unanswered.length > 0) this.ack([...this.unanswered]);
      this.tick(1_000);
      quiet = this.deliveries === before && this.unanswered.length === 0 ? quiet + 1 : 0;
    }
  }

  private markCompleted({ payload, parkedRevision }: Delivery<Payload>): void {
    if (parkedRevision === undefined) this.completed.add(payload.position);
    else this.parkedStream[parkedRevision]!.settled = true;
  }

  private perform(effect: GroupEffect<Payload>): void {
    switch (effect.kind) {
      case 'push':
        this.deliver(effect.delivery, effect.consumerId);
        return;
      case 'fetch': {
        const to = Math.min(this.eventCount, effect.after + 1 + effect.eventsMax);
        const page = this.page(effect.after, to);
        this.send({ kind: 'fetched', page, atEnd: page.considered === 0 });
        return;
      }
      case 'checkpoint':
        for (let position = 0; position <= effect.position; position += 1) {
          if (isSelected(position)) expect(this.completed).toContain(position);
        }
        expect(effect.position).toBeGreaterThan(this.checkpoint ?? -1);
        this.checkpoint = effect.position;
        return;
      case 'park':
        this.parking.push(effect.delivery);
        return;
      case 'forget-parked':
        for (const entry of this.parkedStream.slice(0, effect.before)) {
          expect(entry.settled).toBe(true);
        }
        this.forgottenBefore = effect.before;
    }
  }

  private deliver(delivery: Delivery<Payload>, consumerId: number): void {
    expect(this.consumers).toContain(consumerId);
    expect(delivery.retryCount).toBeGreaterThanOrEqual(this.#retries.get(delivery.id) ?? 0);
    this.#retries.set(delivery.id, delivery.retryCount);
    this.deliveries += 1;
    this.unanswered.push(delivery);
  }

  private page(after: number, to: number): FetchedPage<Payload> {
    const events = [];
    let previous = after;
    for (let position = after + 1; position < to; position += 1) {
      if (isSelected(position)) {
        const place = { ordinal: position - after, previous, pin: position % 5 };
        events.push({ id: `event-${position}`, ...place, payload: { position } });
      }
      previous = position;
    }
    return { events, after, considered: Math.max(0, to - after - 1), cursor: previous };
  }

  /**
   * Checks that no fetched event is lost, that none is in two lists, and that the counts of the
   * consumers are right.
   */
  private checkInvariants(): void {
    const { inFlight, retries, waiting, parking, consumers, cursor } = this.state;
    const held = [...inFlight.map(({ delivery }) => delivery), ...retries, ...waiting, ...parking];
    const ids = held.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (let position = 0; position <= cursor; position += 1) {
      if (!isSelected(position) || this.completed.has(position)) continue;
      expect(ids).toContain(`event-${position}`);
    }
    for (const { id, slots, inFlight: count } of consumers) {
      expect(count).toBe(inFlight.filter(({ consumerId }) => consumerId === id).length);
      expect(count).toBeLessThanOrEqual(slots);
    }
  }
}

const isSelected = (position: number): boolean => position % 3 !== 2;

type Action = (group: SimulatedGroup) => void;

/** Returns a part of a list, chosen by two numbers, which fast-check can shrink. */
const chooseSome = <T>(all: readonly T[], at: number, count: number): T[] =>
  all.length === 0 ? [] : all.slice(at % all.length, (at % all.length) + count);

const choice = { at: fc.nat(20), count: fc.integer({ min: 1, max: 4 }) };

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.integer({ min: 1, max: 6 }).map((slots): Action => (group) => {
    if (group.consumers.length < 4) group.connect(slots);
  }),
  fc.nat(5).map((at): Action => (group) => {
    const [consumer] = chooseSome(group.consumers, at, 1);
    if (consumer !== undefined) group.disconnect(consumer);
  }),
  fc.integer({ min: 1, max: 12 }).map((count): Action => (group) => {
    group.publish(count);
  }),
  {
    weight: 4,
    arbitrary: fc.record(choice).map(({ at, count }): Action => (group) => {
      group.ack(chooseSome(group.unanswered, at, count));
    }),
  },
  fc
    .record({ ...choice, action: fc.constantFrom<NackAction>('retry', 'park', 'skip') })
    .map(({ at, count, action }): Action => (group) => {
      group.nack(chooseSome(group.unanswered, at, count), action);
    }),
  fc.integer({ min: 0, max: 1_500 }).map((ms): Action => (group) => {
    group.tick(ms);
  }),
  fc.boolean().map((succeeds): Action => (group) => {
    group.finishParking(succeeds);
  }),
  fc.constant<Action>((group) => {
    group.replay();
  }),
  fc.constant<Action>((group) => {
    group.restart();
  }),
);

const strategies = fc.constantFrom<ConsumerStrategy>(...STRATEGIES);

describe('a persistent subscription group', () => {
  it('loses no event: each one is acknowledged, skipped or parked', () => {
    fc.assert(
      fc.property(fc.array(actions, { maxLength: 60 }), strategies, (history, strategy) => {
        const group = new SimulatedGroup({ ...SETTINGS, strategy });
        for (const act of history) act(group);
        group.answerEverything();
        for (let position = 0; position < group.eventCount; position += 1) {
          if (isSelected(position)) expect(group.completed).toContain(position);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('delivers after a restart every event that had no outcome before', () => {
    fc.assert(
      fc.property(fc.array(actions, { maxLength: 60 }), strategies, (history, strategy) => {
        const group = new SimulatedGroup({ ...SETTINGS, strategy });
        for (const act of history) act(group);
        group.restart();
        const unsettled = Array.from({ length: group.eventCount }, (_, i) => i).filter(
          (position) => isSelected(position) && !group.completed.has(position),
        );
        const parked = group.parkedStream
          .map((entry, revision) => ({ ...entry, revision }))
          .filter(({ settled }) => !settled);
        expect(parked.every(({ revision }) => revision >= group.forgottenBefore)).toBe(true);
        group.answerEverything();
        for (const position of unsettled) expect(group.completed).toContain(position);
        group.replay();
        group.answerEverything();
        for (const { revision } of parked) expect(group.parkedStream[revision]?.settled).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('parks an event after its last allowed retry', () => {
    const group = new SimulatedGroup(SETTINGS);
    group.publish(1);
    group.connect(1);
    for (let i = 0; i <= SETTINGS.maxRetryCount; i += 1) {
      expect(group.unanswered.map(({ retryCount }) => retryCount)).toEqual([i]);
      group.nack([...group.unanswered], 'retry');
    }
    expect(group.unanswered).toEqual([]);
    expect(group.parking).toHaveLength(1);
  });

  it('counts a disconnect as a retry, but parks no event because of it', () => {
    const group = new SimulatedGroup(SETTINGS);
    group.publish(1);
    for (let i = 0; i < 5; i += 1) {
      group.connect(1);
      expect(group.unanswered.map(({ retryCount }) => retryCount)).toEqual([i]);
      group.disconnect(group.consumers[0]!);
    }
    expect(group.parking).toEqual([]);
  });
});
