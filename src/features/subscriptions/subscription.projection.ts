import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import { removeOwned } from '../../projections/removal';
import type { RowChanges, Table } from '../../projections/rows';

const subscriptionsTable: Table = { name: 'subscriptions', key: ['scope', 'id'] };

/** Projects one row for each subscription. Every event carries the subscription after it. */
export class SubscriptionProjection extends Projection {
  readonly name = 'subscriptions';
  readonly tables = [subscriptionsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    removeOwned(changes, event, subscriptionsTable, { kind: 'sub' });
    const { owner, metadata } = event;
    const resource = metadata.subscription;
    if (owner === null || resource === undefined || metadata.subscription_id === undefined) return;
    changes.upsert(subscriptionsTable, {
      scope: owner.scopeName,
      id: resource.id,
      subscriber_id: owner.subscriberId,
      created_at: resource['created_at'],
      status: resource.status,
      plan: resource['plan'],
      payment_state: resource['payment_state'],
      resource,
    });
  }
}
