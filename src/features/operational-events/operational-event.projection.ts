import type { StoredEvent } from '../../event-store/stored-event';
import { scopeName } from '../../kernel/scope';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import { toOperationalFact } from '../../services/alerting/operational-event.facts';

const operationalEventsTable: Table = { name: 'operational_events', key: ['scope', 'id'] };

/** Stores the rows that `GET /v1/operational_events` lists. */
export class OperationalEventProjection extends Projection {
  readonly name = 'operational_events';
  readonly tables = [operationalEventsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    const fact = toOperationalFact(event);
    if (fact === null) return;
    const { scope, id, at, type, data } = fact;
    changes.upsert(operationalEventsTable, {
      scope: scopeName(scope),
      id,
      created_at: at,
      type,
      data,
    });
  }
}
