import type { Faults } from '../faults/faults';
import { encodeDelivery } from '../protocol/persistent-codec';
import type { EventLog } from '../storage/event-log';
import type { ResolvedEntry } from '../storage/stream-reader';
import { choosePin, type GroupSource } from './group-source';
import {
  createGroupState,
  type GroupEffect,
  type GroupMessage,
  type GroupState,
  type NackAction,
} from './group-state';
import {
  findParkedRange,
  readParked,
  truncateParked,
  writeCheckpoint,
  writeParked,
  type GroupKey,
} from './group-streams';
import { step } from './reducer';
import type { GroupSettings } from './settings';
import { ItemCounter, Latencies } from './statistics';

/** The largest number of parked events that one replay takes; the next replay continues. */
const REPLAY_EVENTS_MAX = 5_000;

/** A connected client of a group. */
export interface ConsumerLink {
  readonly from: string;
  readonly user: string;
  readonly connectionName: string;
  readonly slots: number;
  send(frame: Buffer): void;
  /** Ends the client's call because the group was changed or deleted. */
  drop(): void;
}

export interface ConnectedConsumer {
  readonly id: number;
  readonly link: ConsumerLink;
  readonly items: ItemCounter;
  readonly latencies: Latencies;
}

interface GroupOptions {
  readonly log: EventLog;
  readonly key: GroupKey;
  readonly settings: GroupSettings;
  readonly source: GroupSource;
  /** The position after which to continue; undefined if the group has never run. */
  readonly checkpoint: number | undefined;
  readonly faults: Faults;
}

/**
 * A running group. It passes messages to the reducer, performs the reducer's effects, and counts
 * deliveries.
 */
export class Group {
  readonly items: ItemCounter;
  readonly consumers = new Map<number, ConnectedConsumer>();
  lastKnown: number | undefined;
  #state: GroupState<ResolvedEntry>;
  #nextConsumerId = 1;
  #queue: GroupMessage<ResolvedEntry>[] = [];
  #stepping = false;
  #stopped = false;
  readonly #stopListening: () => void;

  constructor(private readonly options: GroupOptions) {
    const { log, settings, source, checkpoint } = options;
    const start = settings.startFrom === 'end' ? source.end : settings.startFrom - 1;
    this.#state = createGroupState({
      settings,
      after: checkpoint ?? start,
      checkpoint,
      nowMs: log.now(),
    });
    this.items = new ItemCounter(log.now());
    this.#stopListening = source.listen((page) => {
      this.lastKnown = page.cursor;
      if (this.#state.live) this.dispatch({ kind: 'live', page });
    });
  }

  get key(): GroupKey {
    return this.options.key;
  }

  get settings(): GroupSettings {
    return this.options.settings;
  }

  get state(): GroupState<ResolvedEntry> {
    return this.#state;
  }

  get parkedCount(): number {
    const { first, last } = findParkedRange(this.options.log, this.key);
    return Math.max(0, last + 1 - Math.max(first, this.#state.replayedUpTo + 1));
  }

  /**
   * True if no event is left to fetch. A group without consumers does not fetch, so its cursor is
   * compared.
   */
  get isAtEnd(): boolean {
    return this.#state.live || this.#state.cursor >= this.options.source.end;
  }

  get hasRoom(): boolean {
    const { maxSubscriberCount } = this.settings;
    return maxSubscriberCount === 0 || this.consumers.size < maxSubscriberCount;
  }

  connect(link: ConsumerLink): ConnectedConsumer {
    const nowMs = this.options.log.now();
    const consumer = {
      id: this.#nextConsumerId++,
      link,
      items: new ItemCounter(nowMs),
      latencies: new Latencies(),
    };
    this.consumers.set(consumer.id, consumer);
    this.dispatch({ kind: 'connected', consumerId: consumer.id, slots: link.slots });
    return consumer;
  }

  disconnect(consumer: ConnectedConsumer): void {
    if (this.consumers.delete(consumer.id)) {
      this.dispatch({ kind: 'disconnected', consumerId: consumer.id });
    }
  }

  ack(ids: readonly string[]): void {
    this.measure(ids);
    this.dispatch({ kind: 'ack', ids });
    if (this.options.faults.strikes('drop-group')) this.dropConsumers();
  }

  nack(ids: readonly string[], action: NackAction, reason: string): void {
    if (this.options.faults.strikes('nack-lost')) return;
    this.measure(ids);
    this.dispatch({ kind: 'nack', ids, action, reason });
  }

  handleTick(): void {
    this.dispatch({ kind: 'tick' });
  }

  /**
   * Replays parked events up to `stopAt`, a revision of the parked stream that is not replayed
   * itself.
   */
  replayParked(stopAt: number | undefined): void {
    const { log } = this.options;
    const { first, last } = findParkedRange(log, this.key);
    const from = Math.max(first, this.#state.replayedUpTo + 1);
    const to = stopAt === undefined ? last : Math.min(last, stopAt - 1);
    if (from > to) return;
    const range = { from, to, eventsMax: REPLAY_EVENTS_MAX };
    const { events, upTo } = readParked(log, this.key, range);
    this.dispatch({
      kind: 'replay',
      upTo,
      events: events.map(({ id, parkedRevision, resolved }) => ({
        id,
        parkedRevision,
        pin: choosePin(this.settings, resolved),
        payload: resolved,
      })),
    });
  }

  /** Ends the group and drops its consumers. Its checkpoint and its parked stream remain. */
  stop(): void {
    this.#stopped = true;
    this.#stopListening();
    this.dropConsumers();
  }

  dropConsumers(): void {
    for (const { link } of [...this.consumers.values()]) link.drop();
  }

  private measure(ids: readonly string[]): void {
    const { settings, options } = this;
    if (!settings.extraStatistics) return;
    for (const { delivery, consumerId, dueMs } of this.#state.inFlight) {
      if (!ids.includes(delivery.id)) continue;
      const sentMs = dueMs - settings.messageTimeoutMs;
      this.consumers.get(consumerId)?.latencies.add(options.log.now() - sentMs);
    }
  }

  /**
   * An effect may produce a message. The message is handled after all effects of the current step.
   */
  private dispatch(message: GroupMessage<ResolvedEntry>): void {
    if (this.#stopped) return;
    this.#queue.push(message);
    if (this.#stepping) return;
    this.#stepping = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        const { state, effects } = step(this.#state, next, this.options.log.now());
        this.#state = state;
        for (const effect of effects) this.perform(effect);
      }
    } finally {
      this.#stepping = false;
    }
  }

  private perform(effect: GroupEffect<ResolvedEntry>): void {
    const { log, key, source } = this.options;
    switch (effect.kind) {
      case 'push':
        this.push(effect);
        return;
      case 'fetch': {
        const { page, atEnd } = source.fetch(effect.after, effect.eventsMax);
        if (page.considered > 0) this.lastKnown = Math.max(this.lastKnown ?? -1, page.cursor);
        this.dispatch({ kind: 'fetched', page, atEnd });
        return;
      }
      case 'checkpoint':
        writeCheckpoint(log, key, effect.position);
        return;
      case 'park':
        this.park(effect);
        return;
      case 'forget-parked':
        truncateParked(log, key, effect.before);
    }
  }

  private push({
    consumerId,
    delivery,
  }: Extract<GroupEffect<ResolvedEntry>, { kind: 'push' }>): void {
    const consumer = this.consumers.get(consumerId);
    if (!consumer) return;
    this.items.add();
    consumer.items.add();
    const frame = encodeDelivery(delivery.payload, delivery.retryCount);
    consumer.link.send(frame);
    if (this.options.faults.strikes('duplicate-delivery')) consumer.link.send(frame);
  }

  private park({ delivery, reason }: Extract<GroupEffect<ResolvedEntry>, { kind: 'park' }>): void {
    const { log, key } = this.options;
    const parked = { resolved: delivery.payload, reason, addedAt: new Date(log.now()) };
    writeParked(log, key, parked, (error) => {
      this.dispatch(error ? { kind: 'park-failed', delivery } : { kind: 'parked', delivery });
    });
  }
}
