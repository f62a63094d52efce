import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';

const eventsTable: Table = { name: 'events', key: ['scope', 'id'] };

/**
 * Projects the events of subscribers, with their personal fields still sealed, for `GET /events`.
 */
export class EventProjection extends Projection {
  readonly name = 'events';
  readonly tables = [eventsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    if (event.owner === null) return;
    changes.upsert(eventsTable, {
      scope: event.owner.scopeName,
      id: event.id,
      created_at: event.metadata.at,
      type: event.type,
      subscriber_id: event.owner.subscriberId,
      subscription_id: getSubscriptionId(event.metadata),
      sequence: event.revision + 1,
      position: String(event.position),
      data: event.data,
      metadata: event.metadata,
    });
  }
}

/**
 * Returns the subscription of an event. The first payment names its subscription too, although it
 * is stored before the subscription exists.
 */
const getSubscriptionId = ({
  subscription_id,
  subscription,
}: StoredEvent['metadata']): string | null => subscription_id ?? subscription?.id ?? null;
