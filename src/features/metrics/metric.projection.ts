import type { StoredEvent } from '../../event-store/stored-event';
import type { Instant } from '../../kernel/time';
import { HOUR_MS, msBetween } from '../../kernel/time';
import { Projection } from '../../projections/projection';
import type { Gathering, RowChanges, Table } from '../../projections/rows';
import type { Session } from '../../read-models/database';
import { dayOf } from './buckets.decider';
import { binOf, oneIn } from './histogram';
import {
  ALL_DESTINATIONS,
  daysTable,
  histogramsTable,
  type Scoped,
  writeDays,
  writeHistograms,
} from './metric.days';
import { type Count, isCounted, NEW_TALLY, tally, type Tally } from './tally';

const talliesTable: Table = { name: 'metric_tallies', key: ['owner'] };

const OUTCOMES = 'delivery.outcomes_recorded';
/** D-78: a delivery is in time when a 2xx comes within a day. */
const IN_TIME_MS = 24 * HOUR_MS;

/** Every metric's daily counts: the pure `tally`, applied to a batch of events at once. */
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
    const counts: Scoped[] = [];
    const changed = new Set<string>();
    for (const event of this.events) {
      const { stream } = event;
      const before = tallies.get(stream) ?? NEW_TALLY;
      const counted = event.owner === null ? deliveries(before, event) : tally(before, event);
      if (counted.after === before) continue;
      tallies.set(stream, counted.after);
      changed.add(stream);
      const scope = event.owner?.scopeName ?? scopeOfOutcomes(event);
      counts.push(...counted.counts.map((count) => ({ ...count, scope })));
    }
    if (changed.size === 0) return;
    await this.save(session, [...changed], tallies);
    await writeDays(session, counts);
    await writeHistograms(session, counts);
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

/** As the delivery journal states it; only what is counted here. */
interface Outcome {
  readonly scope: string;
  readonly kind: string;
  readonly attempt: number;
  readonly created_at: Instant;
  readonly at: Instant;
  readonly replay_id?: string | null;
}

const outcomesOf = ({ data }: StoredEvent): readonly Outcome[] =>
  data['outcomes'] as unknown as readonly Outcome[];

const scopeOfOutcomes = (event: StoredEvent): string => outcomesOf(event)[0]?.scope ?? '';

/** D-78: live deliveries by the day of their event; a replay is no delivery that was due. */
const deliveries = (before: Tally, event: StoredEvent): { after: Tally; counts: Count[] } => {
  const sequence = event.revision + 1;
  if (sequence <= before.sequence) return { after: before, counts: [] };
  const destination = event.data['destination_id'] as string;
  const counts = outcomesOf(event).flatMap((outcome) => countsOf(destination, outcome));
  return { after: { ...NEW_TALLY, sequence }, counts };
};

const countsOf = (destination: string, outcome: Outcome): Count[] => {
  if ((outcome.replay_id ?? null) !== null || outcome.kind === 'deferred') return [];
  const tookMs = msBetween(outcome.created_at, outcome.at);
  const delivered = outcome.kind === 'delivered';
  const of = (part: string): Count[] => {
    const one = { day: dayOf(outcome.created_at), currency: '', part, value: 1 };
    const histogram = oneIn(binOf(tookMs / 1000));
    return [
      ...(outcome.attempt === 1 ? [{ ...one, series: 'deliveries_due' as const }] : []),
      ...(delivered && tookMs <= IN_TIME_MS
        ? [{ ...one, series: 'deliveries_in_time' as const }]
        : []),
      ...(delivered ? [{ ...one, series: 'delivery_latency' as const, histogram }] : []),
    ];
  };
  return [...of(ALL_DESTINATIONS), ...of(destination)];
};
