import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import { removeOwned } from '../../projections/removal';
import type { RowChanges, Table } from '../../projections/rows';
import type { MotionRun } from '../../domain/motions/motion.events';

const runsTable: Table = { name: 'motion_runs', key: ['scope', 'id'] };

/** Stores one row for each run. Every event of a run carries the resulting run. */
export class MotionRunProjection extends Projection {
  readonly name = 'motion_runs';
  readonly tables = [runsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    removeOwned(changes, event, runsTable, { kind: 'mtr' });
    const { owner, type, data, metadata } = event;
    if (owner === null || !type.startsWith('motion.')) return;
    const run = data['run'] as unknown as MotionRun;
    changes.upsert(runsTable, {
      scope: owner.scopeName,
      id: run.id,
      motion_id: run.motion_id,
      subscriber_id: run.subscriber_id,
      created_at: run.created_at,
      status: run.status,
      presented_at: run.presented_at,
      accepted_at: run.accepted_at,
      run,
      sealed: metadata.sealed ?? null,
    });
  }
}
