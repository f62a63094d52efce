import type { Destination, DestinationHealth } from '@subscription-event-service/sdk';
import { readAllPages, service } from '../../api/service';

/** A destination with its health. */
export interface Watched {
  readonly destination: Destination;
  readonly health: DestinationHealth;
}

const HEALTH_ORDER = { failing: 0, disabled: 1, healthy: 2 } as const;

/** Loads the health of the destinations, failing ones first. */
export const loadHealth = async (
  destinations: readonly Destination[],
  signal: AbortSignal,
): Promise<readonly Watched[]> => {
  const all = await readAllPages(service().destinations.listHealth({ limit: 100 }, { signal }));
  const byId = new Map(all.map((health) => [health.destination_id, health]));
  return destinations
    .flatMap((destination) => {
      const health = byId.get(destination.id);
      return health === undefined ? [] : [{ destination, health }];
    })
    .sort(
      (a, b) =>
        HEALTH_ORDER[a.health.health] - HEALTH_ORDER[b.health.health] ||
        b.health.waiting - a.health.waiting,
    );
};

export interface DaySummary {
  readonly delivered: number;
  readonly byHour: readonly number[];
  readonly firstTryRate: number | null;
  readonly slowestP95Ms: number | null;
  readonly waiting: number;
  readonly oldestWaitingAt: string | null;
}

const countDeliveries = ({
  last_24_hours: { delivered, failed, pending },
}: DestinationHealth): number => delivered + failed + pending;

/** Adds up the last 24 hours of all destinations. */
export const summarizeDay = (watched: readonly Watched[]): DaySummary => {
  const all = watched.map(({ health }) => health);
  const days = all.map(({ last_24_hours: day }) => day);
  const counted = all.reduce((sum, health) => sum + countDeliveries(health), 0);
  const atOnce = all.reduce(
    (sum, health) => sum + (health.last_24_hours.first_try_rate ?? 0) * countDeliveries(health),
    0,
  );
  const p95s = days.flatMap(({ response_p95_ms: p95 }) => (p95 === null ? [] : [p95]));
  const oldest = all.flatMap(({ oldest_waiting_at: at }) => (at === null ? [] : [at])).sort();
  return {
    delivered: days.reduce((sum, { delivered }) => sum + delivered, 0),
    byHour: Array.from({ length: 24 }, (_, hour) =>
      days.reduce((sum, { delivered_by_hour: hours }) => sum + (hours[hour] ?? 0), 0),
    ),
    firstTryRate: counted === 0 ? null : atOnce / counted,
    slowestP95Ms: p95s.length === 0 ? null : Math.max(...p95s),
    waiting: all.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestWaitingAt: oldest[0] ?? null,
  };
};
