import type { EventStoreConnection } from '../../event-store/connection';
import { readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import { DAY_MS, type Instant, toMillis } from '../../kernel/time';
import type { ReadYourWrites } from '../../projections/read-your-writes';
import type { Database } from '../../read-models/database';
import { deleteOutdated } from '../../read-models/prune';
import type { DeliveryDestination } from '../model/destination';
import { firstSent } from './first-sent';
import { type Recovered, recovery } from './recovery';
import type { DeliverableEvent } from './work';

const WAIT_STEP_MS = 5_000;
/** How long the delivery log is kept (D-66, D-114). */
export const DELIVERY_LOG_DAYS = 30;
const KEPT = `interval '${DELIVERY_LOG_DAYS} days'`;

/** What became of an event at a destination before a replay of it. */
export interface PastDelivery {
  /** Whether there is a recorded 2xx. */
  readonly delivered: boolean;
  /** The replay that delivered it; null: none did. */
  readonly replayId: string | null;
  /** When it was first sent live; null = never. */
  readonly firstSentAt: Instant | null;
}

interface PastRow {
  readonly event_id: string;
  readonly delivered: boolean;
  readonly replay_id: string | null;
  readonly first_sent_at: Instant | null;
}

/** What the journal says, read from its projection once that has caught up with it. */
export class DeliveryLog {
  private readonly recovery: ReturnType<typeof recovery>;
  private readonly firstSent: ReturnType<typeof firstSent>;

  constructor(
    private readonly connection: EventStoreConnection,
    private readonly database: Database,
    private readonly freshness: ReadYourWrites,
  ) {
    this.recovery = recovery(database);
    this.firstSent = firstSent(database);
  }

  /** What a consumer has to know before it takes its first message. */
  async recover(destination: DeliveryDestination, signal: AbortSignal): Promise<Recovered> {
    await this.untilProjected(destination.id, signal);
    return this.recovery.load(destination);
  }

  /** Which of these events need no live delivery any more; one that only a replay tried still does. */
  async known(destinationId: string, eventIds: readonly string[]): Promise<Set<string>> {
    if (eventIds.length === 0) return new Set();
    const rows = await this.database.query<{ event_id: string }>({
      name: 'known deliveries',
      text: `select event_id from deliveries where destination_id = $1 and event_id = any($2)
        and (attempt_count > 0 or status <> 'failed')`,
      values: [destinationId, eventIds],
    });
    return new Set(rows.map(({ event_id }) => event_id));
  }

  /** What the log knows of each of these events at a destination: a replay asks by the page. */
  async past(
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
          firstSentAt: row === undefined ? assumedSentAt(destination, event) : row.first_sent_at,
        };
        return [event.id, past];
      }),
    );
  }

  /**
   * When an event was first sent to a destination live, null = never. Of what is older than the log
   * is kept, nobody knows: it was sent when it happened, if the destination was there.
   */
  async firstSentAt(
    destination: DeliveryDestination,
    event: DeliverableEvent,
  ): Promise<Instant | null> {
    const found = await this.firstSent.load({
      destinationId: destination.id,
      eventId: event.id,
    });
    return found === undefined ? assumedSentAt(destination, event) : found;
  }

  /** Forgets what is older than the log is kept; what still waits is kept. */
  async prune(signal: AbortSignal): Promise<void> {
    await deleteOutdated(
      this.database,
      { table: 'delivery_attempts', age: 'at', before: `now() - ${KEPT}` },
      signal,
    );
    await deleteOutdated(
      this.database,
      {
        table: 'deliveries',
        age: 'greatest(created_at, last_attempt_at)',
        before: `now() - ${KEPT}`,
        where: "status <> 'pending'",
      },
      signal,
    );
  }

  /** Forgets what waits for destinations that are gone: nobody will ever attempt it. */
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

  /** Resolves when the log shows everything the destination's journals hold by now. */
  async untilProjected(destinationId: string, signal: AbortSignal): Promise<void> {
    for (const { name } of [streams.journal(destinationId), streams.retryRequests(destinationId)]) {
      const last = readStream(this.connection.client, name, { backwards: true, maxCount: 1 });
      for await (const { position } of last) {
        while (!(await this.freshness.reached(position, WAIT_STEP_MS))) signal.throwIfAborted();
      }
    }
  }
}

/** Of what the log has forgotten: it was sent when it happened, if the destination was there. */
const assumedSentAt = (
  { registeredAtPosition }: DeliveryDestination,
  { metadata, position }: DeliverableEvent,
): Instant | null => {
  const forgotten = Date.now() - toMillis(metadata.at) > DELIVERY_LOG_DAYS * DAY_MS;
  return forgotten && position > registeredAtPosition ? metadata.at : null;
};
