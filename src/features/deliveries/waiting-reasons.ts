import { OPENS_AFTER_EVENTS } from '../../delivery/live/breaker';
import type { StoredDeliverable } from '../../delivery/model/stored-deliverables';
import { DestinationDirectory } from '../../directories/destination.directory';
import { type KnownDestination, getStatus } from '../../domain/destinations/destination.decider';
import type { Scope } from '../../kernel/scope';
import { Clock, type Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import type { WaitingReason } from './delivery.dto';

/** The facts of a delivery that show whether it waits, and for what. */
export interface WaitingFacts {
  readonly destination_id: string;
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly live_attempts: number;
  readonly last_attempt_at: Instant | null;
  /** Before the first attempt: the end of the wait behind an older event; null if not recorded. */
  readonly next_attempt_at: Instant | null;
  readonly retry_requested_at: Instant | null;
}

interface DestinationRow {
  readonly id: string;
  /** The number of waiting events that failed at their last attempt and since the last success. */
  readonly failing: number;
  /** The lowest sequence that waits, by subscriber. */
  readonly oldest: Readonly<Record<string, number>>;
}

/** Returns the facts of a delivery that the delivery log does not have yet. */
export const toWaitingFacts = (destinationId: string, event: StoredDeliverable): WaitingFacts => ({
  destination_id: destinationId,
  subscriber_id: event.owner.subscriberId,
  sequence: event.revision + 1,
  status: 'pending',
  live_attempts: 0,
  last_attempt_at: null,
  next_attempt_at: null,
  retry_requested_at: null,
});

/**
 * Tells what pending deliveries wait for, as far as the read models show it. The process that owns
 * a destination knows more: attempts in progress, rate limits, pauses. Those cases have no reason.
 */
export class WaitingReasons {
  constructor(
    private readonly database: Database,
    private readonly directory: DestinationDirectory,
    private readonly clock: Clock,
  ) {}

  /** Returns the reason of each delivery, in the same order. It makes at most one query. */
  async explain(
    scope: Scope,
    deliveries: readonly WaitingFacts[],
  ): Promise<(WaitingReason | null)[]> {
    const destinations = new Map(this.directory.listInScope(scope).map((each) => [each.id, each]));
    const rows = await this.readRows(
      deliveries.filter(({ status }) => status === 'pending'),
      destinations,
    );
    return deliveries.map((delivery) => {
      const destination = destinations.get(delivery.destination_id);
      if (destination === undefined || delivery.status !== 'pending') return null;
      return explainWait(delivery, {
        destination,
        row: rows.get(destination.id),
        now: this.clock.now(),
      });
    });
  }

  private async readRows(
    pending: readonly WaitingFacts[],
    destinations: ReadonlyMap<string, KnownDestination>,
  ): Promise<ReadonlyMap<string, DestinationRow>> {
    const asked = [...new Set(pending.map(({ destination_id: id }) => id))]
      .map((id) => destinations.get(id))
      .filter((destination) => destination !== undefined)
      .filter((destination) => getStatus(destination) === 'active');
    if (asked.length === 0) return new Map();
    const rows = await this.database.query<DestinationRow>({
      name: 'why deliveries wait',
      text: `select d.id,
          (select count(*)::int from (select 1 from deliveries
            where destination_id = d.id and status = 'pending' and attempt_count > 0
              and last_attempt_at >= d.active_since
              and last_attempt_at > coalesce(h.last_success_at, '-infinity')
            limit ${OPENS_AFTER_EVENTS}) failing) as failing,
          (select coalesce(json_object_agg(subscriber_id, first), '{}') from (
            select subscriber_id, min(sequence) as first from deliveries
            where destination_id = d.id and status = 'pending' and subscriber_id = any($3)
            group by subscriber_id) waiting) as oldest
        from unnest($1::text[], $2::timestamptz[]) as d(id, active_since)
          left join destination_health h on h.destination_id = d.id`,
      values: [
        asked.map(({ id }) => id),
        asked.map(({ active_since }) => active_since),
        [...new Set(pending.map(({ subscriber_id }) => subscriber_id))],
      ],
    });
    return new Map(rows.map((row) => [row.id, row]));
  }
}

interface WaitingContext {
  readonly destination: KnownDestination;
  /** Undefined if the destination is not active. */
  readonly row: DestinationRow | undefined;
  readonly now: Instant;
}

/** Applies the order of the lanes and the rule of the breaker (D-62, `recovery.ts`). */
export const explainWait = (
  delivery: WaitingFacts,
  { destination, row, now }: WaitingContext,
): WaitingReason | null => {
  if (row === undefined || row.failing >= OPENS_AFTER_EVENTS) return 'destination';
  if (delivery.retry_requested_at !== null) return null;
  const { last_attempt_at: lastAt, next_attempt_at: nextAt } = delivery;
  const hasOlder = (row.oldest[delivery.subscriber_id] ?? Infinity) < delivery.sequence;
  if (hasOlder && destination.ordering === 'strict') return 'earlier_event';
  if (delivery.live_attempts === 0) {
    return hasOlder && (nextAt === null || nextAt > now) ? 'earlier_event' : null;
  }
  // Everything that failed before the destination was enabled is due at once.
  const isPlanned = lastAt !== null && lastAt >= destination.active_since;
  return isPlanned && nextAt !== null && nextAt > now ? 'retry' : null;
};
