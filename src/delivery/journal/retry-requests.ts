import { randomUUID } from 'node:crypto';
import { SCHEMA_VERSION } from '../../event-store/stored-event';
import { append } from '../../event-store/append';
import { followCategory } from '../../event-store/catch-up';
import type { EventStoreConnection } from '../../event-store/connection';
import { readCategoryHead } from '../../event-store/groups';
import { keepSubscribed } from '../../event-store/keep-subscribed';
import type { JsonObject } from '../../kernel/json';
import { categoryStream, streams } from '../../event-store/streams';
import type { CommandContext } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';

export const RETRY_REQUESTED = 'delivery.retry_requested';
const CATEGORY = categoryStream('delivery_request');

/**
 * A request to attempt a delivery now. This is a storage format: fields may be added but never
 * renamed.
 */
export type RetryRequest = {
  readonly destination_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly scope: string;
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly category_revision: number;
  /** The event's `created_at`. */
  readonly created_at: Instant;
  /** The status in the delivery log at the time of the request. */
  readonly status: 'delivered' | 'pending' | 'failed';
  readonly attempt_count: number;
  readonly first_sent_at: Instant | null;
};

/**
 * Stores and reads requests for manual retries (D-66). A request is stored before it is accepted,
 * so a crash does not lose it. The owner of the destination receives it at once, or finds it when
 * it takes over.
 */
export class RetryRequests {
  constructor(private readonly connection: EventStoreConnection) {}

  /** Stores a request and returns its log position. */
  async request(
    request: RetryRequest,
    { now, origin }: Pick<CommandContext, 'now' | 'origin'>,
  ): Promise<bigint> {
    const uuid = randomUUID();
    const data: JsonObject = request;
    const { position } = await append(this.connection, {
      stream: streams.retryRequests(request.destination_id).name,
      // No decision depends on this stream. A request that is stored twice causes one attempt more.
      expected: 'any',
      events: [
        {
          uuid,
          type: RETRY_REQUESTED,
          data,
          metadata: {
            schema: SCHEMA_VERSION,
            at: now,
            command: uuid,
            ...(origin === undefined ? {} : { origin }),
          },
        },
      ],
    });
    return position;
  }

  /** Passes on every request from now on, for all destinations. */
  async follow(signal: AbortSignal, onRequest: (request: RetryRequest) => void): Promise<void> {
    let after: number | null = null;
    const { connection } = this;
    const name = 'retry requests';
    await keepSubscribed({ connection, name, signal }, async ({ markHealthy, watched }) => {
      after ??= (await readCategoryHead(this.connection, CATEGORY)).revision - 1;
      const from = { stream: CATEGORY, after, signal, watched };
      for await (const { events } of followCategory(this.connection, from)) {
        markHealthy();
        for (const { revision, event } of events) {
          if (event !== null) onRequest(event.data as unknown as RetryRequest);
          after = revision;
        }
      }
    });
  }
}
