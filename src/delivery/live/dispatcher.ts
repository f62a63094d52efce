import { warnOfFailure } from '../../event-store/failures';
import { deleteGroup } from '../../event-store/groups';
import { KeyedQueue } from '../../event-store/keyed-queue';
import { deliverableStream } from '../../event-store/streams';
import type { Metrics } from '../../ops/metrics';
import { pollUntilStopped, waitAtMost } from '../../ops/polling';
import { Consumer } from './consumer';
import type { ConsumerParts } from './consumer-parts';
import type { DestinationBacklog } from './backlog';
import type { DeliveryDestination, PermanentlyDeletedDestination } from '../model/destination';
import type { RetryRequest, RetryRequests } from '../journal/retry-requests';
import type { DestinationShares } from './shares';
import { SlowStart } from './slow-start';

/**
 * Interval for looking for destinations whose 30 days after a soft deletion have passed. No event
 * announces this.
 */
const SWEEP_EVERY_MS = 60_000;

/** Interval of the heartbeat by which the processes that deliver know of each other. */
const HEARTBEAT_MS = 1_500;
/**
 * A destination is handed over to its assigned process only after this time. A process that has
 * just died is no longer in the member list by then.
 */
const OWNED_MIN_MS = 8_000;
/**
 * Number of destinations handed over at a time. No delivery is made for a destination until the new
 * owner has taken it.
 */
const HANDOVERS_AT_ONCE = 20;
/** After handing a destination over, wait this long before competing for it again. */
const HANDOVER_COOLDOWN_MS = 10_000;
/**
 * A destination that came back after a handover is kept this long: the other process cannot take it
 * at present.
 */
const HANDOVER_RETRY_MS = 5 * 60_000;
/**
 * Number of deleted destinations whose leftovers are removed at a time. At a start these are all
 * that were ever deleted.
 */
const REMOVALS_AT_ONCE = 4;

interface DispatcherParts extends ConsumerParts {
  readonly requests: RetryRequests;
  readonly shares: DestinationShares;
  readonly metrics: Metrics;
}

interface RunningConsumer {
  readonly consumer: Consumer;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * Keeps one consumer running for each active destination. Several processes share the destinations:
 * each group admits one subscription, and the process that has it owns the destination. The others
 * stand by. A destination that is assigned to another living process is handed over to it.
 */
export class Dispatcher {
  private readonly consumers = new Map<string, RunningConsumer>();
  /**
   * Consumers that are stopping, by destination. No new consumer for a destination starts before
   * its old one has ended.
   */
  private readonly stopping = new Map<string, Promise<void>>();
  /** Removals of the leftovers of deleted destinations, by id; finished ones included. */
  private readonly removed = new Map<string, Promise<void>>();
  private readonly removals = new KeyedQueue();
  /** The time of the last handover of each destination, on the monotonic clock. */
  private readonly handedOverAtMs = new Map<string, number>();
  /** Delays the destinations that failed before this process started. */
  private slowStart = new SlowStart([], 0, Math.random);
  /** Aborted to make the main loop look at the destinations again. */
  private wakeUp = new AbortController();

  constructor(private readonly parts: DispatcherParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const { destinations, requests } = this.parts;
    await destinations.waitUntilReady(signal).catch(() => undefined);
    const following = requests.follow(signal, (request) => {
      this.forwardRequest(request);
    });
    const sharing = this.shareDestinations(signal);
    signal.addEventListener('abort', () => {
      this.wakeUp.abort();
    });
    this.slowStart = await this.planSlowStart();
    let seen = -1;
    const reconcile = (): number => {
      // Both are set before the destinations are read, so that a later change is not missed.
      this.wakeUp = new AbortController();
      seen = destinations.version;
      return this.reconcile(signal);
    };
    await pollUntilStopped(signal, reconcile, {
      everyMs: SWEEP_EVERY_MS,
      wait: (ms) =>
        waitAtMost(ms, this.wakeUp.signal, (end) => destinations.waitUntilChanged(seen, end)),
    });
    for (const id of this.consumers.keys()) this.stop(id);
    await Promise.all([...this.stopping.values(), ...this.removed.values(), following, sharing]);
  }

  /** Counts what waits at the destinations that this process owns. */
  countBacklogs(): readonly DestinationBacklog[] {
    return [...this.consumers]
      .filter(([, { consumer }]) => consumer.ownedForMs() !== null)
      .map(([destinationId, { consumer }]) => ({ destinationId, ...consumer.countBacklog() }));
  }

  private forwardRequest(request: RetryRequest): void {
    const { status } = request;
    const consumer = this.consumers.get(request.destination_id)?.consumer;
    if (status === 'pending') {
      consumer?.retryNow({ eventId: request.event_id });
      return;
    }
    consumer?.retryNow({
      eventId: request.event_id,
      eventType: request.event_type,
      subscriberId: request.subscriber_id,
      sequence: request.sequence,
      categoryRevision: request.category_revision,
      createdAt: request.created_at,
      attempts: request.attempt_count,
      unscheduledAttempts: 0,
      firstSentAt: request.first_sent_at,
      notBeforeMs: 0,
      heldUntilMs: 0,
      status,
    });
  }

  private async planSlowStart(): Promise<SlowStart> {
    const { destinations, log } = this.parts;
    const failing = await log.findFailing(destinations.listActive()).catch((error: unknown) => {
      warnOfFailure(
        'cannot read which destinations fail: the deliveries of all start at once',
        'dispatcher',
        error,
      );
      return [];
    });
    return new SlowStart(failing, this.nowMs(), Math.random);
  }

  /**
   * Starts and stops consumers, so that each active destination has one, and removes what deleted
   * destinations left. Returns the milliseconds until the next call, if nothing changes before.
   */
  private reconcile(signal: AbortSignal): number {
    const nowMs = this.nowMs();
    const active = new Map(this.parts.destinations.listActive().map((each) => [each.id, each]));
    for (const id of this.consumers.keys()) if (!active.has(id)) this.stop(id);
    for (const [id, destination] of active) {
      const runs = this.consumers.has(id) || this.stopping.has(id);
      const mayCompete = this.msSinceHandover(id) >= HANDOVER_COOLDOWN_MS;
      if (!runs && mayCompete && this.slowStart.admits(id, nowMs)) this.start(destination);
    }
    for (const { consumer } of this.consumers.values()) consumer.warnIfOutageIsLong();
    for (const gone of this.parts.destinations.listPermanentlyDeleted()) {
      if (this.removed.has(gone.id)) continue;
      const queue = String(this.removed.size % REMOVALS_AT_ONCE);
      const removal = this.removals.run(queue, () => this.removeLeftovers(gone, signal));
      const done = removal.catch((error: unknown) => {
        this.removed.delete(gone.id);
        if (signal.aborted) return;
        warnOfFailure(
          'the leftovers of a deleted destination cannot be removed: it is tried again',
          gone.id,
          error,
        );
      });
      this.removed.set(gone.id, done);
    }
    return this.slowStart.msUntilNext(nowMs) ?? SWEEP_EVERY_MS;
  }

  /** Removes the group of a deleted destination and its pending rows of the delivery log. */
  private async removeLeftovers(
    { id, scope }: PermanentlyDeletedDestination,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    await this.stopping.get(id);
    await deleteGroup(this.parts.connection, { stream: deliverableStream(scope), name: id });
    await this.parts.log.waitUntilProjected(id, signal);
    await this.parts.log.forgetPending([id]);
  }

  private async shareDestinations(signal: AbortSignal): Promise<void> {
    const { shares, metrics } = this.parts;
    const share = async (): Promise<void> => {
      try {
        const isChanged = await shares.sendHeartbeat();
        // The process that was to take the destinations may be the one that has gone.
        if (isChanged) this.handedOverAtMs.clear();
        this.handOverForeignDestinations();
        if (isChanged) this.wakeUp.abort();
      } finally {
        const held = [...this.consumers.values()].filter(
          ({ consumer }) => consumer.ownedForMs() !== null,
        );
        metrics.destinationsHeld.set(held.length);
        // Destinations whose handover cooldown is over may be competed for again.
        if (this.handedOverAtMs.size > 0) this.wakeUp.abort();
      }
    };
    await pollUntilStopped(signal, share, {
      everyMs: HEARTBEAT_MS,
      onFailure: (error) => {
        warnOfFailure(
          'cannot read which processes deliver: the shares of destinations stay as they are',
          'dispatcher',
          error,
        );
      },
    });
    // If the database does not answer, the other processes ignore the row when its heartbeat is too
    // old.
    await shares.leave().catch(() => undefined);
  }

  /** Hands over some of the destinations that are assigned to another process. */
  private handOverForeignDestinations(): void {
    for (const id of this.handedOverAtMs.keys()) {
      if (this.msSinceHandover(id) >= HANDOVER_RETRY_MS) this.handedOverAtMs.delete(id);
    }
    const assignedElsewhere = [...this.consumers]
      .filter(([id, { consumer }]) => {
        const heldForMs = consumer.ownedForMs();
        return (
          heldForMs !== null && heldForMs >= OWNED_MIN_MS && !this.parts.shares.isAssignedHere(id)
        );
      })
      .map(([id]) => id)
      .filter((id) => !this.handedOverAtMs.has(id))
      .slice(0, HANDOVERS_AT_ONCE);
    for (const id of assignedElsewhere) {
      this.handedOverAtMs.set(id, this.nowMs());
      this.stop(id);
    }
  }

  private msSinceHandover(id: string): number {
    return this.nowMs() - (this.handedOverAtMs.get(id) ?? -Infinity);
  }

  private nowMs(): number {
    return this.parts.clock.monotonicMs();
  }

  private start(destination: DeliveryDestination): void {
    const consumer = new Consumer(destination, this.parts);
    const stop = new AbortController();
    this.consumers.set(destination.id, { consumer, stop, done: consumer.run(stop.signal) });
  }

  /**
   * Stops a consumer. If its destination is active again when the consumer has ended, the main loop
   * starts a new one.
   */
  private stop(id: string): void {
    const running = this.consumers.get(id);
    if (running === undefined) return;
    this.consumers.delete(id);
    running.stop.abort();
    const done = running.done.finally(() => {
      this.stopping.delete(id);
      this.wakeUp.abort();
    });
    this.stopping.set(id, done);
  }
}
