import { ANY } from '@eventstore/db-client';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreConnection } from '../../../src/event-store/connection';
import type { TestDatabase } from '../../support/databases';
import { clone, lastEvents, register } from '../../support/seed';
import { Service, type TestTenant } from '../../support/service';
import { StoreServer } from '../../support/store-server';
import { openLoop } from './load';

const SUBSCRIBERS = 200;
/** Looked at: one event in so many, this often. */
const ONE_IN = 25;
const POLL_MS = 10;

/**
 * How long after its append an event can be read, in ms: events go straight into the log at a fixed
 * rate, the service does nothing but project them.
 */
export const projectionLag = async (
  database: TestDatabase,
  { ratePerSecond, seconds }: { ratePerSecond: number; seconds: number },
): Promise<number[]> => {
  const store = await StoreServer.start();
  const service = await Service.start({
    database,
    env: { EVENTSTORE_URL: store.connectionString },
  });
  const connection = new EventStoreConnection(store.connectionString);
  try {
    const tenant = await service.tenant();
    const templates = await lastEvents(
      connection.client,
      tenant,
      await register(tenant, SUBSCRIBERS),
    );
    const lagsMs: Promise<number>[] = [];
    await openLoop(ratePerSecond * seconds, ratePerSecond, async (i) => {
      const template = templates[i % SUBSCRIBERS]!;
      const { id, event } = clone(template, Math.floor(i / SUBSCRIBERS), Date.now());
      await connection.client.appendToStream(template.stream, event, { expectedRevision: ANY });
      if (i % ONE_IN === 0) lagsMs.push(untilRead(tenant, id));
    });
    return await Promise.all(lagsMs);
  } finally {
    await connection.close();
    await service.dispose();
    await store.dispose();
  }
};

const untilRead = async (tenant: TestTenant, eventId: string): Promise<number> => {
  const appendedAt = performance.now();
  while ((await tenant.api.get(`/v1/events/${eventId}`)).status === 404) await delay(POLL_MS);
  return performance.now() - appendedAt;
};
