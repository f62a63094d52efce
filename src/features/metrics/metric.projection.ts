import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { BatchAccumulator, RowChanges, Table } from '../../projections/rows';
import type { Session } from '../../read-models/database';
import type { ChangeStatement } from '../../read-models/statement-batch';
import { scopeOfOutcomes, tallyDeliveries } from './delivery-tally';
import { daysTable, DayTotals, histogramsTable } from './metric.days';
import { isCounted, NEW_TALLY, tally, type Tally } from './tally';

const talliesTable: Table = { name: 'metric_tallies', key: ['owner'] };

const OUTCOMES = 'delivery.outcomes_recorded';

/** Every metric's daily counts: the pure `tally` and `tallyDeliveries`, applied to a batch of events at once. */
export class MetricProjection extends Projection {
  readonly name = 'metrics';
  readonly tables = [daysTable, histogramsTable, talliesTable];

  project(event: StoredEvent, changes: RowChanges): void {
    const counts = event.owner === null ? event.type === OUTCOMES : isCounted(event.type);
    if (counts) changes.accumulate(this, () => new Counting()).add(event);
  }
}

/** The counts of one batch. */
class Counting implements BatchAccumulator {
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

  /** What a subscriber's event adds depends on its tally, which is read first. */
  private async countSubscribers(session: Session, totals: DayTotals): Promise<Tallies> {
    const events = this.events.filter(({ owner }) => owner !== null);
    const changed = new Map<string, Tally>();
    if (events.length === 0) return changed;
    const stored = await readTallies(session, new Set(events.map(({ stream }) => stream)));
    for (const event of events) {
      const { stream, owner } = event;
      const before = changed.get(stream) ?? stored.get(stream) ?? NEW_TALLY;
      const { after, counts } = tally(before, event);
      if (after === before) continue;
      changed.set(stream, after);
      for (const count of counts) totals.add(owner?.scopeName ?? '', count);
    }
    return changed;
  }

  /**
   * What a journal's event adds depends on nothing: SQL adds it, unless the tally says that it did. A
   * batch is written as a whole, so a journal's events in it are all counted or none is.
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
        totals.add(scopeOfOutcomes(event), count, { owner: stream, first });
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
