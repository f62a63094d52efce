import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import { removeOwned } from '../../projections/removal';
import type { RowChanges, Table } from '../../projections/rows';
import { type Refund, refundEvents } from '../../domain/billing/refund.events';

const refundsTable: Table = { name: 'refunds', key: ['scope', 'id'] };

export class RefundProjection extends Projection {
  readonly name = 'refunds';
  readonly tables = [refundsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    removeOwned(changes, event, refundsTable, { kind: 'rfd' });
    if (event.owner === null || !(event.type in refundEvents)) return;
    const refund = event.data['refund'] as unknown as Refund;
    changes.upsert(refundsTable, {
      scope: event.owner.scopeName,
      id: refund.id,
      payment_id: refund.payment_id,
      subscriber_id: refund.subscriber_id,
      created_at: refund.created_at,
      status: refund.status,
      refund,
      sealed: event.metadata.sealed ?? null,
    });
  }
}
