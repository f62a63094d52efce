import type {
  Delivery,
  FetchedPage,
  GroupEffect,
  GroupMessage,
  GroupState,
  InFlight,
  Replayed,
  Step,
} from './group-state';
import { isPinned } from './settings';
import { chooseConsumer, reorderAfterPush } from './strategies';

/**
 * A group (persistent subscription) as a pure function. Each message brings the current time, and
 * the function returns the effects to perform. reducer.spec.ts checks these invariants with a model:
 *
 * - each fetched event was acknowledged, skipped or parked, or is in one of the state's lists;
 * - a checkpoint is never after an event in one of the lists;
 * - a restart from the last checkpoint delivers each event that was in one of the lists.
 *
 * The retry rules are EventStoreDB's. After a nack, a time-out or a disconnect, an event is
 * delivered again at once, before later events. After `maxRetryCount` retries it is parked instead.
 * A disconnect counts as a retry but never parks an event.
 */
export const step = <P>(state: GroupState<P>, message: GroupMessage<P>, nowMs: number): Step<P> => {
  const builder = new StepBuilder(state, nowMs);
  apply(builder, message);
  builder.deliver();
  builder.fetchMore();
  return { state: builder.state, effects: builder.effects };
};

const apply = <P>(builder: StepBuilder<P>, message: GroupMessage<P>): void => {
  switch (message.kind) {
    case 'connected':
      builder.connect(message.consumerId, message.slots);
      return;
    case 'disconnected':
      builder.disconnect(message.consumerId);
      return;
    case 'fetched':
      builder.set({ fetching: false, live: message.atEnd });
      builder.addFetched(message.page);
      return;
    case 'live':
      builder.addLive(message.page);
      return;
    case 'ack':
      builder.ack(message.ids);
      return;
    case 'nack':
      builder.nack(message);
      return;
    case 'tick':
      builder.handleTick();
      return;
    case 'replay':
      builder.replay(message.events, message.upTo);
      return;
    case 'parked':
      builder.finishParking(message.delivery);
      return;
    case 'park-failed':
      builder.parkFailed(message.delivery);
  }
};

/** One step of the group. It collects effects and replaces the immutable state. */
class StepBuilder<P> {
  readonly effects: GroupEffect<P>[] = [];

  constructor(
    public state: GroupState<P>,
    private readonly nowMs: number,
  ) {}

  set(changes: Partial<GroupState<P>>): void {
    this.state = { ...this.state, ...changes };
  }

  connect(id: number, slots: number): void {
    this.set({ consumers: [...this.state.consumers, { id, slots, inFlight: 0 }] });
  }

  disconnect(consumerId: number): void {
    const { consumers, inFlight, retries } = this.state;
    const lost = inFlight.filter((entry) => entry.consumerId === consumerId);
    this.set({
      consumers: consumers.filter(({ id }) => id !== consumerId),
      inFlight: inFlight.filter((entry) => entry.consumerId !== consumerId),
      retries: sortDeliveries([...retries, ...lost.map(({ delivery }) => countRetry(delivery))]),
    });
    if (this.state.consumers.length === 0) this.dropWaiting();
  }

  addFetched({ events, considered, cursor }: FetchedPage<P>): void {
    const { waiting, sequence } = this.state;
    const fetched = events.map(({ id, ordinal, previous, pin, payload }) => ({
      id,
      sequence: sequence + ordinal,
      previous,
      retryCount: 0,
      parkedRevision: undefined,
      pin,
      payload,
    }));
    this.set({ waiting: [...waiting, ...fetched], sequence: sequence + considered, cursor });
  }

  /**
   * Adds a page of live events. The group stops being live and fetches later in three cases: it has
   * no room, it has no consumer, or the page begins before the cursor. The last case occurs if a
   * group starts at a revision that its stream has not reached yet.
   */
  addLive(page: FetchedPage<P>): void {
    const { live, waiting, settings, consumers, cursor } = this.state;
    if (!live) return;
    const room = waiting.length + page.events.length <= settings.liveBufferSize;
    if (room && consumers.length > 0 && page.after >= cursor) this.addFetched(page);
    else this.set({ live: false });
  }

  ack(ids: readonly string[]): void {
    this.removeAnswered(ids);
    this.writeCheckpointIfDue({ onTick: false });
    this.truncateParked({ onTick: false });
  }

  nack({ ids, action, reason }: Extract<GroupMessage<P>, { kind: 'nack' }>): void {
    const refused = this.removeAnswered(ids);
    if (action === 'retry') this.retryOrPark(refused, reason);
    else if (action === 'park') this.park(refused, reason);
    this.writeCheckpointIfDue({ onTick: false });
    this.truncateParked({ onTick: false });
  }

  handleTick(): void {
    const expired = this.removeInFlight(({ dueMs }) => dueMs <= this.nowMs);
    this.retryOrPark(expired, 'The message timed out.');
    this.writeCheckpointIfDue({ onTick: true });
    this.truncateParked({ onTick: true });
  }

  replay(events: readonly Replayed<P>[], upTo: number): void {
    const { replayedUpTo, retries } = this.state;
    const fresh = events
      .filter(({ parkedRevision }) => parkedRevision > replayedUpTo)
      .map((event) => ({ ...event, sequence: 0, previous: 0, retryCount: 0 }));
    this.set({
      retries: sortDeliveries([...retries, ...fresh]),
      replayedUpTo: Math.max(replayedUpTo, upTo),
    });
    this.truncateParked({ onTick: false });
  }

  finishParking(delivery: Delivery<P>): void {
    this.set({ parking: this.state.parking.filter((other) => other !== delivery) });
    this.writeCheckpointIfDue({ onTick: false });
    this.truncateParked({ onTick: false });
  }

  parkFailed(delivery: Delivery<P>): void {
    this.set({
      parking: this.state.parking.filter((other) => other !== delivery),
      retries: sortDeliveries([...this.state.retries, delivery]),
    });
  }

  /** Delivers as many events as the consumers have free slots. */
  deliver(): void {
    if (this.deliverFrom('retries')) this.deliverFrom('waiting');
  }

  fetchMore(): void {
    const { settings, consumers, waiting, fetching, live, cursor } = this.state;
    const room = settings.historyBufferSize - waiting.length >= settings.readBatchSize;
    if (live || fetching || !room || consumers.length === 0) return;
    this.set({ fetching: true });
    this.effects.push({ kind: 'fetch', after: cursor, eventsMax: settings.readBatchSize });
  }

  /** Delivers one event. Returns false if no consumer has a free slot. */
  private deliverFrom(name: 'retries' | 'waiting'): boolean {
    const { settings, inFlight } = this.state;
    const queue = this.state[name];
    const dueMs = this.nowMs + settings.messageTimeoutMs;
    const kept: Delivery<P>[] = [];
    const pushed: InFlight<P>[] = [];
    let { consumers } = this.state;
    let full = false;
    for (const delivery of queue) {
      const choice = chooseConsumer(settings.strategy, consumers, delivery.pin);
      full = choice === 'full';
      if (choice === 'full') break;
      if (choice === 'busy') kept.push(delivery);
      else {
        pushed.push({ delivery, consumerId: consumers[choice.index]?.id ?? -1, dueMs });
        consumers = reorderAfterPush(settings.strategy, consumers, choice.index);
      }
    }
    if (pushed.length === 0) return !full;
    const rest = [...kept, ...queue.slice(kept.length + pushed.length)];
    this.set({ consumers, inFlight: [...inFlight, ...pushed], [name]: rest });
    for (const { delivery, consumerId } of pushed) {
      this.effects.push({ kind: 'push', consumerId, delivery });
    }
    return !full;
  }

  /**
   * Removes answered events from those in flight. Unknown ids are ignored, and any consumer may
   * answer.
   */
  private removeAnswered(ids: readonly string[]): Delivery<P>[] {
    const wanted = new Set(ids);
    return this.removeInFlight(
      ({ delivery }) => wanted.delete(delivery.id),
      () => wanted.size === 0,
    );
  }

  /** Removes events in one pass. Hundreds are in flight, and one response names many. */
  private removeInFlight(
    isWanted: (entry: InFlight<P>) => boolean,
    isDone: () => boolean = () => false,
  ): Delivery<P>[] {
    const { consumers, inFlight } = this.state;
    const kept: InFlight<P>[] = [];
    const taken: Delivery<P>[] = [];
    const freed = new Map<number, number>();
    for (const entry of inFlight) {
      if (isDone()) break;
      if (!isWanted(entry)) kept.push(entry);
      else {
        taken.push(entry.delivery);
        freed.set(entry.consumerId, (freed.get(entry.consumerId) ?? 0) + 1);
      }
    }
    if (taken.length === 0) return taken;
    this.set({
      inFlight: [...kept, ...inFlight.slice(kept.length + taken.length)],
      consumers: consumers.map((each) => ({
        ...each,
        inFlight: each.inFlight - (freed.get(each.id) ?? 0),
      })),
    });
    return taken;
  }

  private retryOrPark(deliveries: readonly Delivery<P>[], reason: string): void {
    const { settings, retries } = this.state;
    const again = deliveries.filter(({ retryCount }) => retryCount < settings.maxRetryCount);
    if (again.length > 0)
      this.set({ retries: sortDeliveries([...retries, ...again.map(countRetry)]) });
    const tooOften = deliveries.filter(({ retryCount }) => retryCount >= settings.maxRetryCount);
    this.park(tooOften, reason);
  }

  private park(deliveries: readonly Delivery<P>[], reason: string): void {
    if (deliveries.length === 0) return;
    this.set({ parking: [...this.state.parking, ...deliveries] });
    for (const delivery of deliveries) this.effects.push({ kind: 'park', delivery, reason });
  }

  /**
   * Drops the waiting events if there are no consumers. They are fetched again for the next
   * consumer.
   */
  private dropWaiting(): void {
    const [first] = this.state.waiting;
    this.set({ live: false });
    // A pinned strategy may already have delivered events that are newer than the waiting ones.
    if (!first || isPinned(this.state.settings.strategy)) return;
    this.set({ waiting: [], cursor: first.previous, sequence: first.sequence - 1 });
  }

  /**
   * Writes a checkpoint before the oldest event without an outcome: when `max` events have had
   * their outcome since the last checkpoint, or at a tick when `min` have and the interval has
   * passed.
   */
  private writeCheckpointIfDue({ onTick }: { readonly onTick: boolean }): void {
    const { settings, checkpoint, sequence } = this.state;
    // The search for the oldest open event is slow. It is skipped if even the newest event is not
    // far enough.
    if (!onTick && sequence - checkpoint.sequence < settings.maxCheckpointCount) return;
    const settled = this.findCheckpoint();
    const progress = settled.sequence - checkpoint.sequence;
    const due =
      progress >= settings.maxCheckpointCount ||
      (onTick &&
        progress >= settings.minCheckpointCount &&
        this.nowMs - checkpoint.atMs >= settings.checkpointAfterMs);
    if (!due || progress <= 0) return;
    this.set({ checkpoint: { ...settled, atMs: this.nowMs } });
    this.effects.push({ kind: 'checkpoint', position: settled.position });
  }

  private findCheckpoint(): { readonly position: number; readonly sequence: number } {
    const { inFlight, retries, parking, waiting, cursor, sequence } = this.state;
    let oldest: Delivery<P> | undefined;
    const keepOldest = (delivery: Delivery<P>): void => {
      if (delivery.parkedRevision !== undefined) return;
      if (!oldest || delivery.sequence < oldest.sequence) oldest = delivery;
    };
    for (const { delivery } of inFlight) keepOldest(delivery);
    for (const list of [retries, parking, waiting.slice(0, 1)]) list.forEach(keepOldest);
    return oldest
      ? { position: oldest.previous, sequence: oldest.sequence - 1 }
      : { position: cursor, sequence };
  }

  /**
   * Truncates the parked stream up to the replayed events that have an outcome. They stay until
   * then, so that a restart does not lose them. EventStoreDB removes them at once.
   */
  private truncateParked({ onTick }: { readonly onTick: boolean }): void {
    const { inFlight, retries, parking, replayedUpTo, forgottenBefore } = this.state;
    if (replayedUpTo < 0) return;
    const open = [...inFlight.map(({ delivery }) => delivery), ...retries, ...parking].flatMap(
      ({ parkedRevision }) => (parkedRevision === undefined ? [] : [parkedRevision]),
    );
    if (open.length > 0 && !onTick) return;
    const before = Math.min(replayedUpTo + 1, ...open);
    if (before <= forgottenBefore) return;
    this.set({ forgottenBefore: before });
    this.effects.push({ kind: 'forget-parked', before });
  }
}

const countRetry = <P>(delivery: Delivery<P>): Delivery<P> => ({
  ...delivery,
  retryCount: delivery.retryCount + 1,
});

/**
 * Orders replayed events first, in the order in which they were parked, and then the others by age.
 */
const sortDeliveries = <P>(deliveries: Delivery<P>[]): Delivery<P>[] =>
  deliveries.sort(
    (a, b) => a.sequence - b.sequence || (a.parkedRevision ?? 0) - (b.parkedRevision ?? 0),
  );
