import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { BatchAccumulator, RowChanges, Table } from '../../projections/rows';
import type { Session } from '../../read-models/database';
import type { ChangeStatement } from '../../read-models/statement-batch';
import { findOutcomeScope, tallyDeliveries } from './delivery-tally';
import { daysTable, DayTotals, histogramsTable } from './metric.days';
import { isCounted, NEW_TALLY, tallyEvent, type Tally } from './tally';

const talliesTable: Table = { name: 'metric_tallies', key: ['owner'] };

const OUTCOMES_EVENT = 'delivery.outcomes_recorded';

/**
 * Stores the daily counts of all metrics. It applies the pure functions `tally` and
 * `tallyDeliveries` to a whole batch of events.
 */
export class MetricProjection extends Projection {
  readonly name = 'metrics';
  readonly tables = [daysTable, histogramsTable, talliesTable];

  project(event: StoredEvent, changes: RowChanges): void {
    const counts = event.owner === null ? event.type === OUTCOMES_EVENT : isCounted(event.type);
    if (counts) changes.accumulate(this, () => new BatchCounter()).add(event);
  }
}

/** Counts the events of one batch. */
class BatchCounter implements BatchAccumulator {
  private readonly events: StoredEvent[] = [];

  add(event: StoredEvent): void {
    this.events.push(event);
  }

  async statements(session: Session): Promise<ChangeStatement[]> {
    const totals = new DayTotals();
    const tallies = new Map([
      ...(await this.countSubscribers(session, totals)),
      ...this.countJournals(totals),
    ]);
    return tallies.size === 0 ? [] : [...totals.statements(), saveTallies(tallies)];
  }

  /**
   * Counts events of subscribers. Their counts depend on the subscriber's tally, which is read
   * first.
   */
  private async countSubscribers(session: Session, totals: DayTotals): Promise<Tallies> {
    const events = this.events.flatMap(({ owner, ...event }) =>
      owner === null ? [] : [{ ...event, owner }],
    );
    const changed = new Map<string, Tally>();
    if (events.length === 0) return changed;
    const stored = await readTallies(session, new Set(events.map(({ stream }) => stream)));
    for (const event of events) {
      const { stream, owner } = event;
      const before = changed.get(stream) ?? stored.get(stream) ?? NEW_TALLY;
      const { after, counts } = tallyEvent(before, event);
      if (after === before) continue;
      changed.set(stream, after);
      for (const count of counts) totals.add(owner.scopeName, count);
    }
    return changed;
  }

  /**
   * Counts events of delivery journals. Their counts do not depend on earlier events, so the
   * tallies are not read first: SQL skips the counts of a journal whose stored tally shows that
   * they were added. A batch is written as a whole, so either all its events of a journal were
   * added before or none.
   */
  private countJournals(totals: DayTotals): Tallies {
    const changed = new Map<string, Tally>();
    const firstOf = new Map<string, number>();
    for (const event of this.events) {
      const { stream, owner } = event;
      if (owner !== null) continue;
      const { after, counts } = tallyDeliveries(changed.get(stream) ?? NEW_TALLY, event);
      const first = firstOf.get(stream) ?? after.sequence;
      firstOf.set(stream, first);
      changed.set(stream, after);
      for (const count of counts)
        totals.add(findOutcomeScope(event), count, { owner: stream, first });
    }
    return changed;
  }
}

type Tallies = ReadonlyMap<string, Tally>;

const readTallies = async (session: Session, owners: ReadonlySet<string>): Promise<Tallies> => {
  const rows = await session.query<{ owner: string; tally: Tally }>({
    name: 'metric tallies',
    text: 'select owner, tally from metric_tallies where owner = any($1)',
    values: [[...owners]],
  });
  return new Map(rows.map(({ owner, tally: stored }) => [owner, stored]));
};

const saveTallies = (tallies: Tallies): ChangeStatement => ({
  text: `insert into metric_tallies (owner, tally)
    select owner, tally from json_populate_recordset(null::metric_tallies, $1)
    on conflict (owner) do update set tally = excluded.tally
      where (metric_tallies.tally->>'sequence')::bigint < (excluded.tally->>'sequence')::bigint`,
  values: [JSON.stringify([...tallies].map(([owner, is]) => ({ owner, tally: is })))],
});
