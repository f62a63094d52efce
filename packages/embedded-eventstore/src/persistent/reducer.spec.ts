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
  /** Answered for good after a replay. */
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
 * A group with everything around it: the log, the disk, the clients. It carries out the reducer's
 * effects, keeps its own account of every event, and checks the two against each other.
 */
class World {
  state: GroupState<Payload>;
  /** Every third event is dropped by a filter. */
  logged = 0;
  nowMs = 0;
  /** Ended: acked, skipped or parked on disk. */
  readonly settled = new Set<number>();
  readonly parkedStream: ParkedEntry[] = [];
  forgottenBefore = 0;
  checkpoint: number | undefined;
  /** Handed to clients and not answered. */
  outstanding: Delivery<Payload>[] = [];
  parking: Delivery<Payload>[] = [];
  consumers: number[] = [];
  deliveries = 0;
  #nextConsumer = 1;
  readonly #retries = new Map<string, number>();

  constructor(private readonly settings: GroupSettings) {
    this.state = this.begin();
  }

  begin(): GroupState<Payload> {
    return createGroupState({
      settings: this.settings,
      after: this.checkpoint ?? -1,
      checkpoint: this.checkpoint,
      nowMs: this.nowMs,
    });
  }

  /** A crash and a new start: what is left is what is on disk. */
  restart(): void {
    this.state = this.begin();
    this.outstanding = [];
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
    this.check();
  }

  connect(slots: number): void {
    const consumerId = this.#nextConsumer++;
    this.consumers.push(consumerId);
    this.send({ kind: 'connected', consumerId, slots });
  }

  disconnect(consumerId: number): void {
    this.consumers = this.consumers.filter((id) => id !== consumerId);
    const lost = this.state.inFlight.filter((entry) => entry.consumerId === consumerId);
    this.outstanding = this.outstanding.filter(
      (delivery) => !lost.some((entry) => entry.delivery.id === delivery.id),
    );
    this.send({ kind: 'disconnected', consumerId });
  }

  publish(count: number): void {
    const after = this.logged - 1;
    this.logged += count;
    if (this.state.live) this.send({ kind: 'live', page: this.page(after, this.logged) });
  }

  ack(deliveries: readonly Delivery<Payload>[]): void {
    for (const delivery of deliveries) this.settle(delivery);
    this.outstanding = this.outstanding.filter((each) => !deliveries.includes(each));
    this.send({ kind: 'ack', ids: deliveries.map(({ id }) => id) });
  }

  nack(deliveries: readonly Delivery<Payload>[], action: NackAction): void {
    if (action === 'skip') for (const delivery of deliveries) this.settle(delivery);
    this.outstanding = this.outstanding.filter((each) => !deliveries.includes(each));
    this.send({ kind: 'nack', ids: deliveries.map(({ id }) => id), action, reason: 'x' });
  }

  tick(ms: number): void {
    this.nowMs += ms;
    const expired = this.state.inFlight.filter(({ dueMs }) => dueMs <= this.nowMs);
    this.outstanding = this.outstanding.filter(
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
    this.settle(delivery);
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

  /** Answers everything until nothing comes any more. */
  drain(): void {
    this.connect(100);
    for (let quiet = 0; quiet < 3;) {
      const before = this.deliveries;
      while (this.parking.length > 0) this.finishParking(true);
      if (this.outstanding.length > 0) this.ack([...this.outstanding]);
      this.tick(1_000);
      quiet = this.deliveries === before && this.outstanding.length === 0 ? quiet + 1 : 0;
    }
  }

  private settle({ payload, parkedRevision }: Delivery<Payload>): void {
    if (parkedRevision === undefined) this.settled.add(payload.position);
    else this.parkedStream[parkedRevision]!.settled = true;
  }

  private perform(effect: GroupEffect<Payload>): void {
    switch (effect.kind) {
      case 'push':
        this.deliver(effect.delivery, effect.consumerId);
        return;
      case 'fetch': {
        const to = Math.min(this.logged, effect.after + 1 + effect.eventsMax);
        const page = this.page(effect.after, to);
        this.send({ kind: 'fetched', page, atEnd: page.considered === 0 });
        return;
      }
      case 'checkpoint':
        for (let position = 0; position <= effect.position; position += 1) {
          if (isSelected(position)) expect(this.settled).toContain(position);
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
    this.outstanding.push(delivery);
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

  /** Nothing fetched is lost, nothing is held twice, and the consumers' counts are right. */
  private check(): void {
    const { inFlight, retries, waiting, parking, consumers, cursor } = this.state;
    const held = [...inFlight.map(({ delivery }) => delivery), ...retries, ...waiting, ...parking];
    const ids = held.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (let position = 0; position <= cursor; position += 1) {
      if (!isSelected(position) || this.settled.has(position)) continue;
      expect(ids).toContain(`event-${position}`);
    }
    for (const { id, slots, inFlight: count } of consumers) {
      expect(count).toBe(inFlight.filter(({ consumerId }) => consumerId === id).length);
      expect(count).toBeLessThanOrEqual(slots);
    }
  }
}

const isSelected = (position: number): boolean => position % 3 !== 2;

type Action = (world: World) => void;

/** A part of a list, chosen by two numbers, so that it can be shrunk. */
const chooseSome = <T>(all: readonly T[], at: number, count: number): T[] =>
  all.length === 0 ? [] : all.slice(at % all.length, (at % all.length) + count);

const choice = { at: fc.nat(20), count: fc.integer({ min: 1, max: 4 }) };

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.integer({ min: 1, max: 6 }).map((slots): Action => (world) => {
    if (world.consumers.length < 4) world.connect(slots);
  }),
  fc.nat(5).map((at): Action => (world) => {
    const [consumer] = chooseSome(world.consumers, at, 1);
    if (consumer !== undefined) world.disconnect(consumer);
  }),
  fc.integer({ min: 1, max: 12 }).map((count): Action => (world) => {
    world.publish(count);
  }),
  {
    weight: 4,
    arbitrary: fc.record(choice).map(({ at, count }): Action => (world) => {
      world.ack(chooseSome(world.outstanding, at, count));
    }),
  },
  fc
    .record({ ...choice, action: fc.constantFrom<NackAction>('retry', 'park', 'skip') })
    .map(({ at, count, action }): Action => (world) => {
      world.nack(chooseSome(world.outstanding, at, count), action);
    }),
  fc.integer({ min: 0, max: 1_500 }).map((ms): Action => (world) => {
    world.tick(ms);
  }),
  fc.boolean().map((succeeds): Action => (world) => {
    world.finishParking(succeeds);
  }),
  fc.constant<Action>((world) => {
    world.replay();
  }),
  fc.constant<Action>((world) => {
    world.restart();
  }),
);

const strategies = fc.constantFrom<ConsumerStrategy>(...STRATEGIES);

describe('a persistent subscription group', () => {
  it('loses no event: each one is acknowledged, skipped or parked', () => {
    fc.assert(
      fc.property(fc.array(actions, { maxLength: 60 }), strategies, (history, strategy) => {
        const world = new World({ ...SETTINGS, strategy });
        for (const act of history) act(world);
        world.drain();
        for (let position = 0; position < world.logged; position += 1) {
          if (isSelected(position)) expect(world.settled).toContain(position);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('delivers after a restart every event that had no outcome before', () => {
    fc.assert(
      fc.property(fc.array(actions, { maxLength: 60 }), strategies, (history, strategy) => {
        const world = new World({ ...SETTINGS, strategy });
        for (const act of history) act(world);
        world.restart();
        const unsettled = Array.from({ length: world.logged }, (_, i) => i).filter(
          (position) => isSelected(position) && !world.settled.has(position),
        );
        const parked = world.parkedStream
          .map((entry, revision) => ({ ...entry, revision }))
          .filter(({ settled }) => !settled);
        expect(parked.every(({ revision }) => revision >= world.forgottenBefore)).toBe(true);
        world.drain();
        for (const position of unsettled) expect(world.settled).toContain(position);
        world.replay();
        world.drain();
        for (const { revision } of parked) expect(world.parkedStream[revision]?.settled).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('parks an event after its last allowed retry', () => {
    const world = new World(SETTINGS);
    world.publish(1);
    world.connect(1);
    for (let i = 0; i <= SETTINGS.maxRetryCount; i += 1) {
      expect(world.outstanding.map(({ retryCount }) => retryCount)).toEqual([i]);
      world.nack([...world.outstanding], 'retry');
    }
    expect(world.outstanding).toEqual([]);
    expect(world.parking).toHaveLength(1);
  });

  it('counts a disconnect as a retry, but parks no event because of it', () => {
    const world = new World(SETTINGS);
    world.publish(1);
    for (let i = 0; i < 5; i += 1) {
      world.connect(1);
      expect(world.outstanding.map(({ retryCount }) => retryCount)).toEqual([i]);
      world.disconnect(world.consumers[0]!);
    }
    expect(world.parking).toEqual([]);
  });
});
