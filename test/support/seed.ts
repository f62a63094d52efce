import { ANY, type EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { startEmbeddedEventStore } from '@subscription-event-service/embedded-eventstore';
import { EventStoreConnection } from '../../src/event-store/connection';
import { readStream } from '../../src/event-store/read';
import type { StoredEvent } from '../../src/event-store/stored-event';
import { toEventId, createEventUuid } from '../../src/kernel/ids';
import type { Service, TestTenant } from './service';

const EVENTS_PER_APPEND_MAX = 100;
/**
 * The smallest number of rounds over all subscribers. With more rounds the log is closer to the
 * order of time.
 */
const ROUNDS_MIN = 100;
const APPENDS_AT_ONCE = 64;
const REGISTERING_AT_ONCE = 16;

interface SeedOptions {
  readonly subscribers: number;
  /** The number of events to write. Each subscriber gets the same share. */
  readonly events: number;
  /** The start of the range of `created_at`, which the events cover evenly. */
  readonly fromMs: number;
  /** The end of the range of `created_at`, in the order of the log. */
  readonly toMs: number;
}

export interface Seeded {
  readonly subscriberIds: readonly string[];
  /** The events in the order of the log, which is exact for each subscriber. */
  readonly events: readonly { id: string; subscriberId: string; createdAtMs: number }[];
}

/**
 * Writes history straight into the embedded store while the service is stopped. The events are
 * clones of one real ticket of each subscriber, in a valid order for everything that reads them.
 */
export const seedHistory = async (
  service: Service,
  tenant: TestTenant,
  { subscribers, events, fromMs, toMs }: SeedOptions,
): Promise<Seeded> => {
  const subscriberIds = await register(tenant, subscribers);
  await service.stop();
  const store = await startEmbeddedEventStore({ dir: join(service.dataDir, 'eventstore') });
  const connection = new EventStoreConnection(store.connectionString);
  const { client } = connection;
  try {
    const templates = await readLastEvents(client, tenant, subscriberIds);
    const each = Math.ceil(events / subscribers);
    const rounds = Math.min(each, Math.max(ROUNDS_MIN, Math.ceil(each / EVENTS_PER_APPEND_MAX)));
    const perRound = Math.ceil(each / rounds);
    const written: { id: string; subscriberId: string; createdAtMs: number }[] = [];
    const computeInstant = (round: number, i: number): number =>
      Math.floor(fromMs + ((round * perRound + i) / (rounds * perRound)) * (toMs - fromMs));
    const append = async (turn: number): Promise<void> => {
      const template = templates[turn % templates.length]!;
      const round = Math.floor(turn / templates.length);
      const clones = Array.from({ length: perRound }, (_, i) =>
        clone(template, round * perRound + i, computeInstant(round, i)),
      );
      for (const { id, createdAtMs } of clones) {
        written.push({ id, subscriberId: template.owner!.subscriberId, createdAtMs });
      }
      const made = clones.map(({ event }) => event);
      await client.appendToStream(template.stream, made, { expectedRevision: ANY });
    };
    // The client keeps concurrent appends in order, so they may contain several events of one
    // stream.
    let turn = 0;
    while (turn < rounds * templates.length) {
      const end = Math.min(turn + APPENDS_AT_ONCE, rounds * templates.length);
      const together = Array.from({ length: end - turn }, (_, i) => turn + i);
      await Promise.all(together.map(append));
      turn = end;
    }
    return { subscriberIds, events: written };
  } finally {
    await connection.close();
    await store.close();
    await service.run();
  }
};

/** Registers subscribers with one ticket each. */
export const register = async (tenant: TestTenant, count: number): Promise<string[]> => {
  const ids: string[] = [];
  const runClient = async (): Promise<void> => {
    while (ids.length < count) {
      const i = ids.push('') - 1;
      const body = { email: `s${i}@example.com` };
      const { id } = (await tenant.api.post('/v1/subscribers', body)).created;
      const ticket = { subscriber_id: id, topic: 'other', subject: `history of number ${i}` };
      (await tenant.api.post('/v1/tickets', ticket)).expect(201);
      ids[i] = id as string;
    }
  };
  await Promise.all(Array.from({ length: REGISTERING_AT_ONCE }, runClient));
  return ids;
};

/** Returns the last event of each subscriber. */
export const readLastEvents = (
  client: EventStoreDBClient,
  tenant: TestTenant,
  subscriberIds: readonly string[],
): Promise<StoredEvent[]> =>
  Promise.all(subscriberIds.map((id) => readLastEvent(client, `${tenant.id}.test-${id}`)));

const readLastEvent = async (client: EventStoreDBClient, stream: string): Promise<StoredEvent> => {
  for await (const event of readStream(client, stream, { backwards: true, maxCount: 1 })) {
    return event;
  }
  throw new Error(`${stream} is empty`);
};

/** Builds a ticket like that of the template, the subscriber's `number`th from 0. */
export const clone = (template: StoredEvent, number: number, createdAtMs: number) => {
  const sequence = template.revision + 2 + number;
  const tail = createHash('sha256').update(`${template.id} ${number}`).digest('hex');
  const uuid = createEventUuid({ atMs: createdAtMs, sequence, tail });
  const metadata = { ...template.metadata, at: new Date(createdAtMs).toISOString() };
  const ticket = {
    ...(template.data['ticket'] as object),
    id: `${readTicketId(template)}${number}`,
  };
  const event = jsonEvent({
    id: uuid,
    type: template.type,
    data: { ...template.data, ticket },
    metadata,
  });
  return { id: toEventId(uuid), createdAtMs, event };
};

const readTicketId = ({ data }: StoredEvent): string =>
  (data['ticket'] as { id: string }).id.slice(0, -1);
