import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import { ALERT_DEFERRED, ALERT_SETTLED } from './alert.journal';

const deferredAlertsTable: Table = { name: 'deferred_alerts', key: ['event_id'] };

/** Where the alerts are that wait for another attempt, and when it is due. */
export class DeferredAlertProjection extends Projection {
  readonly name = 'deferred_alerts';
  readonly tables = [deferredAlertsTable];

  project({ type, data }: StoredEvent, changes: RowChanges): void {
    const { event_id, stream, revision, next_attempt_at } = data;
    if (type === ALERT_SETTLED) changes.remove(deferredAlertsTable, { event_id });
    if (type !== ALERT_DEFERRED) return;
    const [category] = (stream as string).split('-');
    const row = { event_id, category, stream, revision, next_attempt_at };
    changes.upsert(deferredAlertsTable, row);
  }
}
