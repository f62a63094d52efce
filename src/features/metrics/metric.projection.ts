import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { Gathering, RowChanges, Table } from '../../projections/rows';
import type { Session } from '../../read-models/database';
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
    if (counts) changes.gather(this, () => new Counting()).add(event);
  }
}

/** The counts of one batch. What it adds depends on the tallies, which are read when it is written. */
class Counting implements Gathering {
  private readonly events: StoredEvent[] = [];

  add(event: StoredEvent): void {
    this.events.push(event);
  }

  async write(session: Session): Promise<void> {
    const tallies = await this.load(session);
    const totals = new DayTotals();
    const changed = new Set<string>();
    for (const event of this.events) {
      const { stream } = event;
      const before = tallies.get(stream) ?? NEW_TALLY;
      const counted = event.owner === null ? tallyDeliveries(before, event) : tally(before, event);
      if (counted.after === before) continue;
      tallies.set(stream, counted.after);
      changed.add(stream);
      const scope = event.owner?.scopeName ?? scopeOfOutcomes(event);
      for (const count of counted.counts) totals.add(scope, count);
    }
    if (changed.size === 0) return;
    await this.save(session, [...changed], tallies);
    await totals.write(session);
  }

  private async load(session: Session): Promise<Map<string, Tally>> {
    const rows = await session.query<{ owner: string; tally: Tally }>({
      name: 'metric tallies',
      text: 'select owner, tally from metric_tallies where owner = any($1)',
      values: [[...new Set(this.events.map(({ stream }) => stream))]],
    });
    return new Map(rows.map(({ owner, tally: stored }) => [owner, stored]));
  }

  private async save(
    session: Session,
    owners: readonly string[],
    tallies: ReadonlyMap<string, Tally>,
  ): Promise<void> {
    const rows = owners.map((owner) => ({ owner, tally: tallies.get(owner) }));
    await session.query({
      name: 'save metric tallies',
      text: `insert into metric_tallies (owner, tally)
        select owner, tally from json_populate_recordset(null::metric_tallies, $1)
        on conflict (owner) do update set tally = excluded.tally`,
      values: [JSON.stringify(rows)],
    });
  }
}
