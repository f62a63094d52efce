import type { DestinationShares } from '../../delivery/live/shares';
import { type Outage, readOutages } from '../../delivery/journal/outages';
import { SHOWN_STATUS } from '../../delivery/journal/shown-status';
import { countUnattemptedEvents } from '../../delivery/journal/unattempted-events';
import type { DestinationDirectory } from '../../directories/destination.directory';
import { readUrl } from '../../domain/destinations/destination-kinds';
import { type KnownDestination, getStatus } from '../../domain/destinations/destination.decider';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import type { Scope } from '../../kernel/scope';
import { type Clock, HOUR_MS, type Instant, toMillis } from '../../kernel/time';
import type { Database } from '../../read-models/database';
import {
  COUNTED_DELIVERIES_MAX,
  COUNTED_HOURS,
  type DestinationHealth,
  type FailingDestination,
  type HealthState,
  type ListDestinationHealthQuery,
  type ListFailingDestinationsQuery,
} from './destination-health.dto';

interface HourRow {
  readonly id: string;
  readonly hour: Instant;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  readonly first_try: number;
}

type LastDay = DestinationHealth['last_24_hours'];
type ShownDestination = Omit<DestinationHealth, 'in_flight' | 'last_24_hours'>;

/**
 * Reads the health of destinations: whether and since when they fail, the attempts in flight, the
 * deliveries that wait, and the figures of the last day.
 */
export class DestinationHealthReader {
  constructor(
    private readonly database: Database,
    private readonly directory: DestinationDirectory,
    private readonly shares: DestinationShares,
    private readonly clock: Clock,
  ) {}

  /** Lists the destinations of an environment that are not deleted. */
  async list(scope: Scope, query: ListDestinationHealthQuery): Promise<Page<DestinationHealth>> {
    const { health, destination_id: onlyId } = query;
    if (onlyId !== undefined) this.directory.require(scope, onlyId, 'destination_id');
    const all = this.directory
      .listInScope(scope)
      .filter((each) => onlyId === undefined || each.id === onlyId)
      .filter((each) => getStatus(each) !== 'deleted');
    const outages = await this.readOutages(all);
    const page = await readMemoryPage(query, {
      name: 'destination health',
      items: all.filter(({ id }) => health === undefined || outages.get(id)?.health === health),
      filters: { ...scope, health, destination_id: onlyId },
      keyOf: ({ created_at, id }) => ({ createdAt: created_at, id }),
    });
    return { ...page, data: await this.addFigures(page.data, outages) };
  }

  /** Lists the destinations of all tenants that fail, or that were disabled because they failed. */
  async listFailing(query: ListFailingDestinationsQuery): Promise<Page<FailingDestination>> {
    const { tenant_id } = query;
    const all = this.directory
      .listEverywhere()
      .filter(({ scope }) => tenant_id === undefined || scope.tenantId === tenant_id);
    const outages = await this.readOutages(all);
    const page = await readMemoryPage(query, {
      name: 'failing destinations',
      items: all.filter(({ id }) => isFailing(outages.get(id))),
      filters: { tenant_id },
      keyOf: ({ created_at, id }) => ({ createdAt: created_at, id }),
    });
    const shown = await this.addFigures(page.data, outages);
    const healthOfId = new Map(shown.map((each) => [each.destination_id, each]));
    return {
      ...page,
      data: page.data.flatMap(({ id, scope, target }) => {
        const destination = healthOfId.get(id);
        if (destination === undefined) return [];
        const { tenantId: tenant, environment } = scope;
        return [{ tenant_id: tenant, environment, url: readUrl(target), destination }];
      }),
    };
  }

  private async addFigures(
    destinations: readonly KnownDestination[],
    outages: ReadonlyMap<string, ShownDestination>,
  ): Promise<DestinationHealth[]> {
    const stopped = destinations.filter(({ id }) => outages.get(id)?.health !== 'healthy');
    const [inFlight, days, unattempted] = await Promise.all([
      this.shares.countInFlight(),
      this.readLastDays(destinations.map(({ id }) => id)),
      countUnattemptedEvents(this.database, stopped),
    ]);
    return destinations.flatMap(({ id }) => {
      const outage = outages.get(id);
      if (outage === undefined) return [];
      const figures = {
        waiting: outage.waiting + (unattempted.get(id) ?? 0),
        in_flight: inFlight.get(id) ?? 0,
        last_24_hours: days.get(id) ?? NO_DELIVERIES,
      };
      return [{ ...outage, ...figures }];
    });
  }

  private async readOutages(
    all: readonly KnownDestination[],
  ): Promise<Map<string, ShownDestination>> {
    const found = await readOutages(this.database, all);
    return new Map(
      all.flatMap((destination) => {
        const outage = found.get(destination.id);
        return outage === undefined
          ? []
          : [[destination.id, viewHealth(destination, outage)] as const];
      }),
    );
  }

  private async readLastDays(ids: readonly string[]): Promise<Map<string, LastDay>> {
    const hours = await this.database.query<HourRow>({
      name: 'destination hours',
      text: `select d.destination_id as id, date_trunc('hour', d.created_at) as hour,
          (count(*) filter (where status = 'delivered'))::int as delivered,
          (count(*) filter (where status = 'failed'))::int as failed,
          (count(*) filter (where status = 'pending'))::int as pending,
          (count(*) filter (where status = 'delivered' and attempt_count <= 1))::int as first_try
        from ${NEWEST_DELIVERIES} group by 1, 2`,
      values: [ids],
    });
    const answered = await this.database.query<{ id: string; p95: number | null }>({
      name: 'destination response times',
      text: `select d.destination_id as id,
          percentile_disc(0.95) within group (order by a.duration_ms) as p95
        from ${NEWEST_DELIVERIES} join delivery_attempts a
          on a.destination_id = d.destination_id and a.event_id = d.event_id
        where a.status_code is not null group by 1`,
      values: [ids],
    });
    const p95 = new Map(answered.map((row) => [row.id, row.p95]));
    const nowMs = toMillis(this.clock.now());
    return new Map(
      ids.map((id) => [
        id,
        summariseLastDay(
          hours.filter((row) => row.id === id),
          p95.get(id) ?? null,
          nowMs,
        ),
      ]),
    );
  }
}

const NEWEST_DELIVERIES = `unnest($1::text[]) as own(destination) cross join lateral (
  select destination_id, event_id, created_at, ${SHOWN_STATUS} as status, attempt_count
  from deliveries
  where destination_id = own.destination
    and created_at > now() - interval '${COUNTED_HOURS} hours'
  order by created_at desc, event_id desc limit ${COUNTED_DELIVERIES_MAX}) d`;

const viewHealth = (destination: KnownDestination, { id, ...row }: Outage): ShownDestination => ({
  destination_id: id,
  health: computeHealth(destination, row),
  disabled_reason: destination.disabled?.reason ?? null,
  ...row,
});

const computeHealth = (
  destination: KnownDestination,
  { failing_since }: Pick<Outage, 'failing_since'>,
): HealthState => {
  if (getStatus(destination) === 'disabled') return 'disabled';
  return failing_since === null ? 'healthy' : 'failing';
};

const isFailing = (outage: ShownDestination | undefined): boolean =>
  outage !== undefined &&
  (outage.health === 'failing' ||
    (outage.health === 'disabled' && outage.disabled_reason !== 'manual'));

const NO_DELIVERIES: LastDay = {
  delivered: 0,
  failed: 0,
  pending: 0,
  first_try_rate: null,
  response_p95_ms: null,
  delivered_by_hour: Array.from({ length: COUNTED_HOURS }, () => 0),
};

const summariseLastDay = (rows: readonly HourRow[], p95: number | null, nowMs: number): LastDay => {
  const sum = (column: 'delivered' | 'failed' | 'pending' | 'first_try'): number =>
    rows.reduce((total, row) => total + row[column], 0);
  const all = sum('delivered') + sum('failed') + sum('pending');
  const lastHour = Math.floor(nowMs / HOUR_MS);
  const byHour = [...NO_DELIVERIES.delivered_by_hour];
  for (const { hour, delivered } of rows) {
    const hoursAgo = lastHour - Math.floor(toMillis(hour) / HOUR_MS);
    const index = COUNTED_HOURS - 1 - hoursAgo;
    if (index >= 0 && index < COUNTED_HOURS) byHour[index] = (byHour[index] ?? 0) + delivered;
  }
  return {
    delivered: sum('delivered'),
    failed: sum('failed'),
    pending: sum('pending'),
    first_try_rate: all === 0 ? null : sum('first_try') / all,
    response_p95_ms: p95,
    delivered_by_hour: byHour,
  };
};
