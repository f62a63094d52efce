import type { Destination, DestinationHealth } from '@subscription-event-service/sdk';
import { readAllPages, service } from '../../api/service';
import { addUp, formatFirstTryRate } from './first-try-rate';

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
  readonly firstTryRate: string;
  readonly slowestP95Ms: number | null;
  readonly waiting: number;
  readonly oldestWaitingAt: string | null;
}

/** Adds up the last 24 hours of all destinations. */
export const summarizeDay = (watched: readonly Watched[]): DaySummary => {
  const all = watched.map(({ health }) => health);
  const days = all.map(({ last_24_hours: day }) => day);
  const p95s = days.flatMap(({ response_p95_ms: p95 }) => (p95 === null ? [] : [p95]));
  const oldest = all.flatMap(({ oldest_waiting_at: at }) => (at === null ? [] : [at])).sort();
  return {
    delivered: addUp(days.map(({ delivered }) => delivered)),
    byHour: Array.from({ length: 24 }, (_, hour) =>
      addUp(days.map(({ delivered_by_hour: hours }) => hours[hour] ?? 0)),
    ),
    firstTryRate: formatFirstTryRate(all),
    slowestP95Ms: p95s.length === 0 ? null : Math.max(...p95s),
    waiting: addUp(all.map(({ waiting }) => waiting)),
    oldestWaitingAt: oldest[0] ?? null,
  };
};
