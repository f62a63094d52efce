import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import { ALERT_DEFERRED, ALERT_SETTLED } from './alert.journal';

const deferredAlertsTable: Table = { name: 'deferred_alerts', key: ['event_id'] };

/**
 * Projects the alerts that wait for another round, with their position in the log and their due
 * time.
 */
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
