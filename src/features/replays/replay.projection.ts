import type { StoredEvent } from '../../event-store/stored-event';
import type { Dated } from '../../kernel/decider';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import type { ReplayFact } from '../../domain/replays/replay.events';

const replaysTable: Table = { name: 'replays', key: ['id'] };
const failuresTable: Table = { name: 'replay_failures', key: ['replay_id', 'id'] };

/** Projects replays and the events that they could not deliver. */
export class ReplayProjection extends Projection {
  readonly name = 'replays';
  readonly tables = [replaysTable, failuresTable];

  project(event: StoredEvent, changes: RowChanges): void {
    if (!event.stream.startsWith('replay-')) return;
    const fact = { ...event, at: event.metadata.at } as unknown as Dated<ReplayFact>;
    if (fact.type === 'replay.completed') return;
    changes.upsert(replaysTable, { id: fact.data.id, scope: fact.data.scope, ...toColumns(fact) });
    if (fact.type !== 'replay.progressed') return;
    for (const { event_id, ...failure } of fact.data.failures) {
      changes.upsert(failuresTable, {
        scope: fact.data.scope,
        replay_id: fact.data.id,
        id: event_id,
        ...failure,
      });
    }
  }
}

type JobFact = Exclude<Dated<ReplayFact>, { type: 'replay.completed' }>;

/**
 * Returns the columns that a fact changes. Each fact contains total counts, so it replaces the
 * counts of earlier facts.
 */
const toColumns = ({ type, data, at }: JobFact): Record<string, unknown> => {
  switch (type) {
    case 'replay.requested':
      return {
        created_at: at,
        destination_id: data.destination_id,
        status: 'queued',
        request: data,
        events_matched: data.events_matched,
      };
    case 'replay.started':
      return { status: 'in_progress', started_at: data.started_at };
    case 'replay.progressed':
      return {
        events_delivered: data.events_delivered,
        events_failed: data.events_failed,
        events_skipped: data.events_skipped,
        progressed_at: at,
      };
    case 'replay.finished':
      return { status: data.status, events_matched: data.events_matched, finished_at: at };
    case 'replay.failed':
      return { status: 'failed', failure_reason: data.failure_reason, finished_at: at };
    case 'replay.cancelled':
      return { status: 'cancelled', finished_at: at };
  }
};
