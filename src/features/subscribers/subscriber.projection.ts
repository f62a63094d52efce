import type { StoredEvent } from '../../event-store/stored-event';
import type { SubscriberState } from '../../kernel/aggregate';
import { Projection } from '../../projections/projection';
import { findRemovedSubscriber } from '../../projections/removal';
import type { Row, RowChanges, Table } from '../../projections/rows';

const subscribersTable: Table = { name: 'subscribers', key: ['scope', 'id'] };

/** Erasures whose data key may not be destroyed yet. The eraser deletes the rows. */
const erasuresTable: Table = {
  name: 'erasures',
  key: ['scope', 'subscriber_id'],
  perishable: true,
};

/** Projects one row for each subscriber. Every event carries the subscriber's record after it. */
export class SubscriberProjection extends Projection {
  readonly name = 'subscribers';
  readonly tables = [subscribersTable, erasuresTable];

  project(event: StoredEvent, changes: RowChanges): void {
    const record = event.metadata.subscriber;
    if (event.owner === null || record === undefined) return;
    const key = { scope: event.owner.scopeName, id: event.owner.subscriberId };
    if (findRemovedSubscriber(event) === null)
      changes.upsert(subscribersTable, toRow(event, key, record));
    else changes.remove(subscribersTable, key);
    if (event.type !== 'subscriber.erased') return;
    changes.upsert(erasuresTable, {
      scope: event.owner.scopeName,
      subscriber_id: event.owner.subscriberId,
      erased_at: event.data['erased_at'],
    });
  }
}

const toRow = (event: StoredEvent, key: Row, record: SubscriberState): Row => ({
  ...key,
  sequence: event.revision + 1,
  created_at: record['registered_at'],
  activated_at: record['activated_at'],
  primary_subscription_id: record['primary_subscription_id'],
  status: record['status'],
  total_paid: record['total_paid'],
  paid_currency: record['paid_currency'],
  totals_by_currency: record['totals_by_currency'],
  last_payment_at: record['last_payment_at'],
  ...toProfileColumns(event),
});

/**
 * Returns the columns of the profile, which only three event types change. The personal fields stay
 * sealed: `sealed_email` comes from the last event that contains the address, and `sealed` from the
 * last event that contains the metadata.
 */
const toProfileColumns = ({ type, data, metadata }: StoredEvent): Row => {
  const sealed = metadata.sealed ?? null;
  switch (type) {
    case 'subscriber.created':
      return {
        external_id: data['external_id'],
        tags: data['tags'],
        metadata: data['metadata'],
        sealed,
        sealed_email: sealed,
      };
    case 'subscriber.updated':
      return {
        sealed_email: sealed,
        ...(data['tags'] === undefined ? {} : { tags: data['tags'] }),
        ...(data['metadata'] === undefined ? {} : { metadata: data['metadata'], sealed }),
        ...(data['engagement_score'] === undefined
          ? {}
          : { engagement_score: data['engagement_score'] }),
      };
    case 'subscriber.erased':
      return {
        erased_at: data['erased_at'],
        tags: [],
        metadata: {},
        engagement_score: null,
        sealed: null,
        sealed_email: null,
      };
    default:
      return {};
  }
};
