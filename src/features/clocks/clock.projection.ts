import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import { findRemovedSubscriber } from '../../projections/removal';
import type { RowChanges, Table } from '../../projections/rows';

const clocksTable: Table = { name: 'test_clocks', key: ['scope', 'id'] };
const subscribersTable: Table = {
  name: 'test_clock_subscribers',
  key: ['test_clock', 'subscriber_id'],
};

/**
 * Projects the test clocks, for their list and for the `timers` role, which advances them, and the
 * subscribers of each clock.
 */
export class ClockProjection extends Projection {
  readonly name = 'test_clocks';
  readonly tables = [clocksTable, subscribersTable];

  project(event: StoredEvent, changes: RowChanges): void {
    const { type, data, owner, metadata } = event;
    const clock = { scope: data['scope'], id: data['id'], leased_until: null };
    switch (type) {
      case 'clock.created':
        changes.upsert(clocksTable, {
          ...clock,
          name: data['name'],
          frozen_time: data['frozen_time'],
          created_at: metadata.at,
          status: 'ready',
          target: null,
          deletes_after: data['deletes_after'],
        });
        return;
      case 'clock.advance_started':
        changes.upsert(clocksTable, { ...clock, status: 'advancing', target: data['target'] });
        return;
      case 'clock.advanced':
        changes.upsert(clocksTable, {
          ...clock,
          frozen_time: data['frozen_time'],
          status: 'ready',
          target: null,
        });
        return;
      case 'clock.advance_failed':
        changes.upsert(clocksTable, { ...clock, status: 'internal_failure', target: null });
        return;
      case 'clock.deleted':
        changes.upsert(clocksTable, { ...clock, status: 'deleted', target: null });
        return;
      case 'subscriber.created':
        if (owner === null || data['test_clock'] == null) return;
        changes.upsert(subscribersTable, {
          test_clock: data['test_clock'],
          subscriber_id: owner.subscriberId,
        });
        return;
      case 'subscriber.erased':
        if (findRemovedSubscriber(event) === null) return;
        changes.remove(subscribersTable, {
          test_clock: metadata.subscriber?.['test_clock'],
          subscriber_id: owner?.subscriberId,
        });
    }
  }
}
