import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import { DAY_MS, type Instant, toMillis } from '../../kernel/time';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import type { Database } from '../../read-models/database';
import { deleteOutdated } from '../../read-models/prune';
import type { DeliveryDestination } from '../model/destination';
import { createFirstSentLoader } from './first-sent';
import { createKnownLoader } from './known-deliveries';
import { findFailing } from './outages';
import { type RecoveredState, createRecoveryLoader } from './recovery';
import type { DeliverableEvent } from './work';

/** An event with the time at which it happened and its place in the log. */
export type DatedEvent = Pick<DeliverableEvent, 'id' | 'metadata' | 'position'>;

const WAIT_STEP_MS = 5_000;
/** Number of days for which the delivery log is kept (D-66, D-114). */
export const DELIVERY_LOG_RETENTION_DAYS = 30;
const RETENTION = `interval '${DELIVERY_LOG_RETENTION_DAYS} days'`;

/** The result of an event's earlier deliveries to a destination, before a replay of it. */
export interface PastDelivery {
  /** True if a 2xx response is recorded. */
  readonly delivered: boolean;
  /** The replay that delivered it; null if none did. */
  readonly replayId: string | null;
  /** The time of its first live attempt; null if there was none. */
  readonly firstSentAt: Instant | null;
}

export interface LatestDelivery {
  readonly attempts: number;
  readonly status: 'delivered' | 'pending' | 'failed';
}

interface PastRow {
  readonly event_id: string;
  readonly delivered: boolean;
  readonly replay_id: string | null;
  readonly first_sent_at: Instant | null;
}

/**
 * Reads the delivery log, which is a projection of the journals. Methods that need the latest state
 * first wait until the projection has caught up.
 */
export class DeliveryLog {
  private readonly recovery: ReturnType<typeof createRecoveryLoader>;
  private readonly firstSent: ReturnType<typeof createFirstSentLoader>;
  private readonly known: ReturnType<typeof createKnownLoader>;

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly database: Database,
    private readonly freshness: ReadYourWrites,
  ) {
    this.recovery = createRecoveryLoader(database);
    this.firstSent = createFirstSentLoader(database);
    this.known = createKnownLoader(database);
  }

  /** Loads the state that a consumer needs before its first message. */
  async loadRecoveredState(
    destination: DeliveryDestination,
    signal: AbortSignal,
  ): Promise<RecoveredState> {
    await this.waitUntilProjected(destination.id, signal);
    return this.recovery.load(destination);
  }

  /**
   * Returns which of the destinations failed at their last attempt, as far as the log is projected.
   */
  findFailing(destinations: readonly DeliveryDestination[]): Promise<string[]> {
    return findFailing(this.database, destinations);
  }

  /**
   * Returns the events that need no live delivery any more. An event that only a replay attempted
   * still needs one.
   */
  async findKnown(destinationId: string, eventIds: readonly string[]): Promise<Set<string>> {
    if (eventIds.length === 0) return new Set();
    return this.known.load({ destinationId, eventIds });
  }

  /**
   * Returns the earlier deliveries of a page of events at a destination. Replays ask page by page.
   */
  async findPast(
    destination: DeliveryDestination,
    events: readonly DeliverableEvent[],
  ): Promise<Map<string, PastDelivery>> {
    if (events.length === 0) return new Map();
    const rows = await this.database.query<PastRow>({
      name: 'past deliveries',
      text: `select event_id, delivered_at is not null as delivered, replay_id, first_sent_at
        from deliveries where destination_id = $1 and event_id = any($2)`,
      values: [destination.id, events.map(({ id }) => id)],
    });
    const found = new Map(rows.map((row) => [row.event_id, row]));
    return new Map(
      events.map((event) => {
        const row = found.get(event.id);
        const past = {
          delivered: row?.delivered ?? false,
          replayId: row?.replay_id ?? null,
          firstSentAt:
            row === undefined ? assumeFirstSentAt(destination, event) : row.first_sent_at,
        };
        return [event.id, past];
      }),
    );
  }

  /**
   * Returns when an event was first sent live to a destination; null if never. For events older
   * than the retention of the log it is assumed, see `assumeFirstSentAt`.
   */
  async findFirstSentAt(
    destination: DeliveryDestination,
    event: DatedEvent,
  ): Promise<Instant | null> {
    const found = await this.firstSent.load({
      destinationId: destination.id,
      eventId: event.id,
    });
    return found === undefined ? assumeFirstSentAt(destination, event) : found;
  }

  /**
   * Returns how many live attempts of a delivery are in the log, and its status, after everything
   * that is journalled; null if the log has no such delivery any more.
   */
  async findLatest(
    destinationId: string,
    eventId: string,
    signal: AbortSignal,
  ): Promise<LatestDelivery | null> {
    await this.waitUntilProjected(destinationId, signal);
    const [row] = await this.database.query<LatestDelivery>({
      name: 'latest delivery',
      text: `select attempt_count as attempts, status from deliveries
        where destination_id = $1 and event_id = $2`,
      values: [destinationId, eventId],
    });
    return row ?? null;
  }

  /** Deletes deliveries that are older than the retention, except pending ones. */
  async prune(signal: AbortSignal): Promise<void> {
    await deleteOutdated(
      this.database,
      { table: 'delivery_attempts', age: 'at', before: `now() - ${RETENTION}` },
      signal,
    );
    await deleteOutdated(
      this.database,
      {
        table: 'deliveries',
        age: 'greatest(created_at, last_attempt_at)',
        before: `now() - ${RETENTION}`,
        where: "status <> 'pending'",
      },
      signal,
    );
  }

  /** Deletes the pending deliveries of deleted destinations. Nothing will attempt them any more. */
  async forgetPending(destinationIds: readonly string[]): Promise<void> {
    if (destinationIds.length === 0) return;
    await this.database.query({
      name: 'forget pending deliveries',
      text: `with forgotten as (
          delete from deliveries where destination_id = any($1) and status = 'pending'
          returning destination_id, event_id)
        delete from delivery_attempts a using forgotten f
          where a.destination_id = f.destination_id and a.event_id = f.event_id`,
      values: [destinationIds],
    });
  }

  /**
   * Resolves when the log shows everything that the destination's streams hold at the time of the
   * call.
   */
  async waitUntilProjected(destinationId: string, signal: AbortSignal): Promise<void> {
    for (const { name } of [streams.journal(destinationId), streams.retryRequests(destinationId)]) {
      const last = readStream(this.connection.client, name, { backwards: true, maxCount: 1 });
      for await (const { position } of last) {
        while (!(await this.freshness.waitUntilReached(position, WAIT_STEP_MS)))
          signal.throwIfAborted();
      }
    }
  }
}

/**
 * Assumes the first attempt of an event that is older than the retention of the log: it was sent
 * when it happened, if the destination existed then.
 */
const assumeFirstSentAt = (
  { registeredAtPosition }: DeliveryDestination,
  { metadata, position }: DatedEvent,
): Instant | null => {
  const isExpired = Date.now() - toMillis(metadata.at) > DELIVERY_LOG_RETENTION_DAYS * DAY_MS;
  return isExpired && position > registeredAtPosition ? metadata.at : null;
};
