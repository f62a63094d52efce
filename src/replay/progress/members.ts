import { append } from '../../event-store/append';
import { SCHEMA_VERSION } from '../../event-store/stored-event';
import type { EventStoreConnection } from '../../event-store/connection';
import { readPages, readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../../kernel/scope';
import type { FailedEvent, ReplayRequest } from '../../domain/replays/replay.events';

/** Number of ids in one event, far below the size limit of an append. */
const IDS_PER_EVENT_MAX = 10_000;
const MEMBERS_FIXED = 'replay.members_fixed';

/**
 * Stores the members of a replay's cohorts at its acceptance. They are written before the job
 * itself. A list that a crash left behind is only read by a job with the same id.
 */
export const storeMembers = async (
  connection: EventStoreConnection,
  replayId: string,
  { ids, context: { now: at, commandId } }: { ids: readonly string[]; context: CommandContext },
): Promise<void> => {
  const stream = streams.replayMembers(replayId).name;
  for (let i = 0; i < ids.length; i += IDS_PER_EVENT_MAX) {
    const data = { subscriber_ids: ids.slice(i, i + IDS_PER_EVENT_MAX) };
    const metadata = { schema: SCHEMA_VERSION, at, command: commandId };
    const event = { uuid: randomUUID(), type: MEMBERS_FIXED, data, metadata };
    await append(connection, { stream, expected: 'any', events: [event] });
  }
};

/** Returns the subscribers to which a job is limited; null = every subscriber. */
export const readSubscribers = async (
  { client }: EventStoreConnection,
  { id, subscriber_ids, cohort_ids }: ReplayRequest,
): Promise<ReadonlySet<string> | null> => {
  if (subscriber_ids === null && cohort_ids === null) return null;
  const ids = new Set(subscriber_ids ?? []);
  if (cohort_ids === null) return ids;
  for await (const { data } of readStream(client, streams.replayMembers(id).name)) {
    for (const each of data['subscriber_ids'] as readonly string[]) ids.add(each);
  }
  return ids;
};

/** Returns the ids of the events that a job could not deliver, from its own stream. */
export const readFailedEvents = async (
  { client }: EventStoreConnection,
  replayId: string,
): Promise<string[]> => {
  const ids: string[] = [];
  for await (const page of readPages(client, streams.replay(replayId).name, 0)) {
    for (const { type, data } of page) {
      if (type !== 'replay.progressed') continue;
      const failures = data['failures'] as unknown as readonly FailedEvent[];
      for (const { event_id } of failures) ids.push(event_id);
    }
  }
  return ids;
};
