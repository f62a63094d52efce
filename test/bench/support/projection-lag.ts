import { setTimeout as delay } from 'node:timers/promises';
import type { TestDatabase } from '../../support/databases';
import type { TestTenant } from '../../support/service';
import { LogStage } from './log-stage';

/** The sampling: one event in this many is polled at this interval. */
const ONE_IN = 25;
const POLL_MS = 10;

/**
 * Measures the time in ms from an event's append until it can be read, while the service is
 * otherwise idle.
 */
export const measureProjectionLag = async (
  database: TestDatabase,
  { ratePerSecond, seconds }: { ratePerSecond: number; seconds: number },
): Promise<number[]> => {
  const stage = await LogStage.start(database);
  try {
    const lagsMs: Promise<number>[] = [];
    await stage.appendAt(ratePerSecond, seconds, (id, i) => {
      if (i % ONE_IN === 0) lagsMs.push(untilRead(stage.tenant, id));
    });
    return await Promise.all(lagsMs);
  } finally {
    await stage.dispose();
  }
};

const untilRead = async (tenant: TestTenant, eventId: string): Promise<number> => {
  const appendedAt = performance.now();
  while ((await tenant.api.get(`/v1/events/${eventId}`)).status === 404) await delay(POLL_MS);
  return performance.now() - appendedAt;
};
