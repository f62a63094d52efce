import { append } from '../../event-store/append';
import { SCHEMA_VERSION } from '../../event-store/aggregates';
import type { EventStoreConnection } from '../../event-store/connection';
import { readPages, readStream } from '../../event-store/read';
import { streams } from '../../event-store/streams';
import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../../kernel/scope';
import type { FailedEvent, ReplayRequest } from '../../domain/replays/replay.events';

/** Far below what one append may hold. */
const IDS_PER_EVENT_MAX = 10_000;
const MEMBERS_FIXED = 'replay.members_fixed';

/**
 * Keeps the subscribers of a replay's cohorts as they are at its acceptance. Written before the job
 * itself; a list that a crash left behind is only read by a job of the same id.
 */
export const keepMembers = async (
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

/** The subscribers a job is limited to; null = every one. */
export const subscribersOf = async (
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

/** The events a job could not deliver, from its own stream. */
export const failedEventsOf = async (
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
