import { DELIVERY_LOG_RETENTION_DAYS } from '../../delivery/journal/delivery-log';
import {
  type StoredDeliverable,
  StoredDeliverables,
} from '../../delivery/model/stored-deliverables';
import { DestinationDirectory } from '../../directories/destination.directory';
import { type KnownDestination, getStatus } from '../../domain/destinations/destination.decider';
import { isForDelivery } from '../../event-store/stored-event';
import { toFilter } from '../../kernel/event-filter';
import type { Scope } from '../../kernel/scope';
import { Clock, plusDays } from '../../kernel/time';
import type { EventDeliveryItem } from './delivery.dto';

type Status = EventDeliveryItem['status'];

/**
 * Computes the status of deliveries that have no row in the delivery log: their first attempt is in
 * progress, waits for its turn, or will never be made.
 */
export class UnattemptedDeliveries {
  constructor(
    private readonly events: StoredDeliverables,
    private readonly directory: DestinationDirectory,
    private readonly clock: Clock,
  ) {}

  /** Finds the event of a delivery that waits for its first attempt; null if none waits. */
  async findPending(
    scope: Scope,
    destination: KnownDestination,
    eventId: string,
  ): Promise<StoredDeliverable | null> {
    const event = await this.events.find(scope, eventId);
    if (event === null || !this.isWaiting(destination, event)) return null;
    return getWaitingStatus(destination) === 'pending' ? event : null;
  }

  /** True if the first attempt is still to come, perhaps not before the destination is enabled. */
  isWaiting(destination: KnownDestination, event: StoredDeliverable): boolean {
    return this.isLogKept(event) && this.findRefusal(destination, event) === null;
  }

  /**
   * Returns what becomes of an event: it is never sent, it cannot be sent now, or it waits. Of an
   * old event the log does not tell: it was probably delivered, and its row is deleted.
   */
  getStatus(destination: KnownDestination, event: StoredDeliverable): Status {
    const refusal = this.findRefusal(destination, event);
    if (refusal !== null) return refusal;
    const hasWaitedSince =
      destination.disabled !== null && destination.disabled.at <= event.metadata.at;
    return this.isLogKept(event) || hasWaitedSince ? getWaitingStatus(destination) : 'log_expired';
  }

  /**
   * The delivery log keeps rows for 30 days. A missing row of an older event does not mean that it
   * was never attempted.
   */
  private isLogKept({ metadata: { at } }: StoredDeliverable): boolean {
    return plusDays(at, DELIVERY_LOG_RETENTION_DAYS) > this.clock.now();
  }

  /** Returns why the event is never sent by itself; null if it is sent. */
  private findRefusal(destination: KnownDestination, event: StoredDeliverable): Status | null {
    const { type, position } = event;
    const { registeredAtPosition = 0n } = this.directory.findForDelivery(destination.id) ?? {};
    if (position < registeredAtPosition) return 'before_destination';
    if (!isForDelivery(event)) return 'filtered';
    if (!toFilter(destination.event_types).matches(type)) return 'filtered';
    const skipped = destination.gaps.some(
      ({ from, to }) => position > BigInt(from.position) && position <= BigInt(to.position),
    );
    return skipped ? 'destination_disabled' : null;
  }
}

/** Returns the status of a delivery that waits: it can be sent only while its destination is active. */
export const getWaitingStatus = (
  destination: KnownDestination,
): 'pending' | 'destination_disabled' =>
  getStatus(destination) === 'active' ? 'pending' : 'destination_disabled';
