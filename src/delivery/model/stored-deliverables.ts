import type { EventMetadata } from '../../event-store/stored-event';
import type { JsonObject } from '../../kernel/json';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import type { Deliverable } from './render';

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly created_at: Instant;
  readonly position: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

/** An event that was found by its id, with its commit position in the log. */
export type StoredDeliverable = Deliverable & { readonly position: bigint };

/** Finds events by id in their read model. */
export class StoredDeliverables {
  constructor(private readonly database: Database) {}

  async find(scope: Scope, eventId: string): Promise<StoredDeliverable | null> {
    const name = scopeName(scope);
    const [row] = await this.database.query<EventRow>({
      name: 'deliverable event',
      text: `select id, type, subscriber_id, sequence, created_at, position, data, metadata
        from events where scope = $1 and id = $2`,
      values: [name, eventId],
    });
    if (row === undefined) return null;
    return {
      id: row.id,
      type: row.type,
      owner: { scope, scopeName: name, subscriberId: row.subscriber_id },
      revision: row.sequence - 1,
      data: row.data,
      metadata: row.metadata,
      position: BigInt(row.position),
    };
  }
}
