import type { Counter } from 'prom-client';
import type { Scope } from '../kernel/scope';

/** More destinations than this are not shown one by one: each has several series of its own. */
export const DESTINATIONS_SHOWN_MAX = 1_000;

/** The labels of a metric that is shown for each destination. */
export const createDestinationLabels = (
  { tenantId, environment }: Scope,
  destination: string,
): Readonly<Record<'tenant' | 'environment' | 'destination', string>> => ({
  tenant: tenantId,
  environment,
  destination,
});

/**
 * Counts by destination. Those beyond the first thousand are counted together as `other`, so that the
 * number of series has a limit.
 */
export class DestinationCounter {
  private readonly shown = new Set<string>();

  constructor(private readonly counter: Counter) {}

  count(scope: Scope, destination: string, outcome: string): void {
    const isShown = this.shown.has(destination) || this.shown.size < DESTINATIONS_SHOWN_MAX;
    if (isShown) this.shown.add(destination);
    const { environment } = scope;
    const labels = isShown
      ? createDestinationLabels(scope, destination)
      : { tenant: OTHER, environment, destination: OTHER };
    this.counter.inc({ ...labels, outcome });
  }
}

const OTHER = 'other';
