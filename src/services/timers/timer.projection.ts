import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';

const timersTable: Table = { name: 'timers', key: ['scope', 'subscriber_id'] };

/** Projects the next timer of each subscriber, which every event carries. */
export class TimerProjection extends Projection {
  readonly name = 'timers';
  readonly tables = [timersTable];

  project({ owner, metadata }: StoredEvent, changes: RowChanges): void {
    if (owner === null || metadata.subscriber === undefined) return;
    const key = { scope: owner.scopeName, subscriber_id: owner.subscriberId };
    const { due_at, test_clock = null } = metadata.subscriber;
    if (due_at == null) changes.remove(timersTable, key);
    else changes.upsert(timersTable, { ...key, due_at, test_clock, leased_until: null });
  }
}
