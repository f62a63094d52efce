import { setTimeout as delay } from 'node:timers/promises';
import { warnOfFailure } from '../../event-store/failures';
import { deleteGroup } from '../../event-store/groups';
import { KeyedQueue } from '../../event-store/keyed-queue';
import { deliverable } from '../../event-store/streams';
import type { Metrics } from '../../ops/metrics';
import { within } from '../../ops/within';
import { Consumer, type ConsumerParts } from './consumer';
import type { WaitingDeliveries } from './waiting';
import type { DeliveryDestination, GoneDestination } from '../model/destination';
import type { RetryRequest, RetryRequests } from '../journal/retry-requests';
import type { Shares } from './shares';

/** Deletions that are due by time alone (30 days after a soft delete) are looked for this often. */
const SWEEP_EVERY_MS = 60_000;

/** How often this process says that it lives, and looks who else does. */
const BEAT_MS = 1_500;
/** What is another process's share is given up after this, so that a dead one is not waited for. */
const HELD_MIN_MS = 8_000;
/** Given up at a time: each destination rests until its new process has taken it. */
const GIVEN_UP_AT_ONCE = 20;
/** So long what was given up is left to the other; then whoever comes first has it. */
const STAND_BACK_MS = 10_000;
/** What came back is kept this long: the other does not manage. */
const GIVE_UP_AGAIN_MS = 5 * 60_000;
/** Destinations that are gone are cleared up so many at a time: at a start, all there ever were. */
const REMOVED_AT_ONCE = 4;

interface DispatcherParts extends ConsumerParts {
  readonly requests: RetryRequests;
  readonly shares: Shares;
  readonly metrics: Metrics;
}

interface Running {
  readonly consumer: Consumer;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/**
 * Keeps one consumer running for each active destination. Several processes share the destinations:
 * each group has one place, whoever has it delivers, the others stand by. What is the share of
 * another process that lives is given up to it.
 */
export class Dispatcher {
  private readonly consumers = new Map<string, Running>();
  /** Consumers on their way out: their place is not given away before they are done. */
  private readonly stopping = new Map<string, Promise<void>>();
  /** Destinations that are gone: what they left is being removed, or has been. */
  private readonly removed = new Map<string, Promise<void>>();
  private readonly removals = new KeyedQueue();
  /** When destinations were given up to another process (monotonic). */
  private readonly givenUp = new Map<string, number>();
  /** Aborts when there is a reason to look at the destinations again. */
  private look = new AbortController();

  constructor(private readonly parts: DispatcherParts) {}

  async run(signal: AbortSignal): Promise<void> {
    const { destinations, requests } = this.parts;
    await destinations.whenReady(signal).catch(() => undefined);
    const following = requests.follow(signal, (request) => {
      this.hear(request);
    });
    const sharing = this.share(signal);
    signal.addEventListener('abort', () => {
      this.look.abort();
    });
    while (!signal.aborted) {
      this.reconcile(signal);
      await this.nextReason();
    }
    for (const id of this.consumers.keys()) this.stop(id);
    await Promise.all([...this.stopping.values(), ...this.removed.values(), following, sharing]);
  }

  /** What waits at the destinations that this process delivers to. */
  waiting(): readonly WaitingDeliveries[] {
    return [...this.consumers.values()]
      .filter(({ consumer }) => consumer.heldForMs() !== null)
      .map(({ consumer }) => consumer.waiting());
  }

  /** A destination changed, a consumer ended, or it is time to look again. */
  private async nextReason(): Promise<void> {
    this.look = new AbortController();
    const change = (until: AbortSignal): Promise<void> => this.parts.destinations.nextChange(until);
    await within(this.look.signal, SWEEP_EVERY_MS, change).catch(() => undefined);
  }

  private hear(request: RetryRequest): void {
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
      byHand: 0,
      firstSentAt: request.first_sent_at,
      notBeforeMs: 0,
      heldUntilMs: 0,
      status,
    });
  }

  private reconcile(signal: AbortSignal): void {
    const active = new Map(this.parts.destinations.active().map((each) => [each.id, each]));
    for (const id of this.consumers.keys()) if (!active.has(id)) this.stop(id);
    for (const [id, destination] of active) {
      const runs = this.consumers.has(id) || this.stopping.has(id);
      if (!runs && this.sinceGivenUpMs(id) >= STAND_BACK_MS) this.start(destination);
    }
    for (const { consumer } of this.consumers.values()) consumer.lookAfter();
    for (const gone of this.parts.destinations.gone()) {
      if (this.removed.has(gone.id)) continue;
      const queue = String(this.removed.size % REMOVED_AT_ONCE);
      const removal = this.removals.run(queue, () => this.remove(gone, signal));
      const done = removal.catch((error: unknown) => {
        this.removed.delete(gone.id);
        if (signal.aborted) return;
        warnOfFailure('what a destination left cannot be removed yet', gone.id, error);
      });
      this.removed.set(gone.id, done);
    }
  }

  /** Its group, and what the delivery log has waiting for it. */
  private async remove({ id, scope }: GoneDestination, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.stopping.get(id);
    await deleteGroup(this.parts.connection, { stream: deliverable(scope), name: id });
    await this.parts.log.untilProjected(id, signal);
    await this.parts.log.forgetPending([id]);
  }

  private async share(signal: AbortSignal): Promise<void> {
    const { shares, metrics } = this.parts;
    while (!signal.aborted) {
      let isChanged = false;
      try {
        isChanged = await shares.beat();
        // Who was to have them may be the one that is gone.
        if (isChanged) this.givenUp.clear();
        this.giveUp();
      } catch (error) {
        warnOfFailure('cannot look which processes deliver', 'dispatcher', error);
      }
      const held = [...this.consumers.values()].filter(
        ({ consumer }) => consumer.heldForMs() !== null,
      );
      metrics.destinationsHeld.set(held.length);
      // What was given up may be asked for again.
      if (isChanged || this.givenUp.size > 0) this.look.abort();
      await delay(BEAT_MS, undefined, { signal }).catch(() => undefined);
    }
    await shares.leave().catch(() => undefined);
  }

  /** Gives up some of what is another process's share. */
  private giveUp(): void {
    for (const id of this.givenUp.keys()) {
      if (this.sinceGivenUpMs(id) >= GIVE_UP_AGAIN_MS) this.givenUp.delete(id);
    }
    const foreign = [...this.consumers]
      .filter(([id, { consumer }]) => {
        const heldForMs = consumer.heldForMs();
        return heldForMs !== null && heldForMs >= HELD_MIN_MS && !this.parts.shares.isOurs(id);
      })
      .map(([id]) => id)
      .filter((id) => !this.givenUp.has(id))
      .slice(0, GIVEN_UP_AT_ONCE);
    for (const id of foreign) {
      this.givenUp.set(id, this.nowMs());
      this.stop(id);
    }
  }

  private sinceGivenUpMs(id: string): number {
    return this.nowMs() - (this.givenUp.get(id) ?? -Infinity);
  }

  private nowMs(): number {
    return this.parts.clock.monotonicMs();
  }

  private start(destination: DeliveryDestination): void {
    const consumer = new Consumer(destination, this.parts);
    const stop = new AbortController();
    this.consumers.set(destination.id, { consumer, stop, done: consumer.run(stop.signal) });
  }

  /** Where it was enabled again meanwhile, the look that follows its end starts it anew. */
  private stop(id: string): void {
    const running = this.consumers.get(id);
    if (running === undefined) return;
    this.consumers.delete(id);
    running.stop.abort();
    const done = running.done.finally(() => {
      this.stopping.delete(id);
      this.look.abort();
    });
    this.stopping.set(id, done);
  }
}
