import { randomUUID } from 'node:crypto';
import { STAGED_BYTES_MAX } from '../base/limits';
import { judgeAppend, judgeDelete, type ExpectedRevision } from './expected-revision';
import { UnwritableError } from './disk-space';
import type { EventLog } from './event-log';
import { CommitTimeoutError, type StagedEvent } from './committer';
import { readEventId, TOMBSTONE_REVISION, type EventContent } from './record';
import type { Stream } from './stream-directory';
import {
  isMetastream,
  isSoftDeleted,
  METADATA_TYPE,
  getMetastreamName,
  SOFT_DELETE_JSON,
  getStreamOfMetastream,
  setTruncateBefore,
} from './stream-metadata';

export interface AppendRequest {
  readonly streamName: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventContent[];
}

export type AppendOutcome =
  /**
   * The events are on disk. `position` is the log position of the last one; undefined if the append
   * has no events.
   */
  | { readonly kind: 'done'; readonly revision: number; readonly position: number | undefined }
  | { readonly kind: 'wrong-expected-version'; readonly current: number }
  | { readonly kind: 'stream-deleted' }
  /** The outcome is unknown, because the commit takes too long. */
  | { readonly kind: 'timed-out' }
  /** The commit failed. Nothing was written, or the outcome is unknown. */
  | { readonly kind: 'failed'; readonly error: Error };

/** Is called exactly once, after everything on which the outcome depends is on disk. */
export type Answer = (outcome: AppendOutcome) => void;

const EMPTY = Buffer.alloc(0);

export const appendEvents = (log: EventLog, request: AppendRequest, answer: Answer): void => {
  if (log.stagedBytes > STAGED_BYTES_MAX) {
    answer({ kind: 'failed', error: new UnwritableError('The server is too busy.') });
    return;
  }
  const outcome = decideAppend(log, request);
  log.callAfterCommit((error) => {
    answer(error ? createFailure(error) : outcome);
  });
};

const createFailure = (error: Error): AppendOutcome =>
  error instanceof CommitTimeoutError ? { kind: 'timed-out' } : { kind: 'failed', error };

const decideAppend = (log: EventLog, request: AppendRequest): AppendOutcome => {
  const { streamName, expected, events } = request;
  const stream = log.streams.find(streamName);
  const current = stream?.head.lastRevision ?? -1;
  const verdict = judgeAppend({
    expected,
    head: describeHead(stream),
    ids: events.map(({ id }) => id),
    storedId: (revision) => stream && readStoredId(log, stream, revision),
    recent: (id) => stream && log.recentIds.find(id, stream.number),
  });
  switch (verdict.kind) {
    case 'append':
      return events.length === 0
        ? { kind: 'done', revision: current, position: undefined }
        : { kind: 'done', ...stageAppend(log, log.openStream(streamName), events) };
    case 'repeated':
      return {
        kind: 'done',
        revision: verdict.revision,
        position: findPosition(log, stream, verdict),
      };
    case 'wrong-expected-version':
      return { kind: 'wrong-expected-version', current };
    case 'stream-deleted':
      return verdict;
  }
};

const describeHead = (stream: Stream | undefined): Parameters<typeof judgeDelete>[1] => ({
  lastRevision: stream?.head.lastRevision ?? -1,
  softDeleted: stream !== undefined && isSoftDeleted(stream.head.metadata),
  hasMetadata: stream?.head.hasMetadata ?? false,
});

const readStoredId = (log: EventLog, stream: Stream, revision: number): string | undefined => {
  const found = log.findStaged(stream, revision) ?? log.reader.find(stream.number, revision);
  return found && readEventId(found.record);
};

const findPosition = (
  log: EventLog,
  stream: Stream | undefined,
  { revision }: { readonly revision: number },
): number | undefined =>
  stream &&
  (log.findStaged(stream, revision)?.position ?? log.reader.findPosition(stream.number, revision));

const stageAppend = (
  log: EventLog,
  stream: Stream,
  events: readonly EventContent[],
): { readonly revision: number; readonly position: number | undefined } => {
  const deletedOwner = findSoftDeletedOwner(log, stream);
  const revivedAt = isSoftDeleted(stream.head.metadata) ? stream.head.lastRevision + 1 : undefined;
  const staged = events.map((event) => log.stage(stream, event));
  for (const { position, revision, record } of staged) {
    log.recentIds.remember(readEventId(record), stream.number, { revision, position });
  }
  const last = staged.at(-1);
  if (revivedAt !== undefined) {
    staged.push(stageMetadata(log, stream.name, setTruncateBefore(EMPTY, revivedAt)));
  }
  const metadata = events.at(-1);
  if (deletedOwner && metadata?.type === METADATA_TYPE) {
    staged.push(reviveWithMetadata(log, deletedOwner, metadata));
  }
  log.onStaged(staged);
  return { revision: last?.revision ?? -1, position: last?.position };
};

/** Appends an event of the server itself, at whatever revision the stream has. */
export const appendSystemEvent = (
  log: EventLog,
  streamName: string,
  event: SystemEvent,
): { readonly revision: number } =>
  stageAppend(log, log.openStream(streamName), [createSystemEvent(event)]);

const findSoftDeletedOwner = (log: EventLog, stream: Stream): Stream | undefined => {
  if (!isMetastream(stream.name)) return undefined;
  const owner = log.streams.find(getStreamOfMetastream(stream.name));
  return owner && isSoftDeleted(owner.head.metadata) ? owner : undefined;
};

/**
 * New metadata makes a soft-deleted stream visible again. EventStoreDB adds `$tb` after the last
 * deleted event to the metadata. Without it, all deleted events would come back.
 */
const reviveWithMetadata = (log: EventLog, owner: Stream, metadata: EventContent): StagedEvent =>
  stageMetadata(
    log,
    owner.name,
    setTruncateBefore(Buffer.from(metadata.data), owner.head.lastRevision + 1),
  );

const stageMetadata = (log: EventLog, streamName: string, data: Buffer): StagedEvent =>
  log.stage(
    log.openStream(getMetastreamName(streamName)),
    createSystemEvent({ type: METADATA_TYPE, data, json: true }),
  );

interface SystemEvent {
  readonly type: string;
  readonly data: Buffer;
  readonly json: boolean;
  readonly customMetadata?: Buffer;
}

const createSystemEvent = (event: SystemEvent): EventContent => ({
  id: randomUUID(),
  customMetadata: EMPTY,
  ...event,
});

export interface DeleteRequest {
  readonly streamName: string;
  readonly expected: ExpectedRevision;
}

/**
 * Deletes a stream: reads answer "not found", and later appends continue after its last revision.
 */
export const deleteSoftly = (log: EventLog, request: DeleteRequest, answer: Answer): void => {
  deleteIfAllowed(log, { ...request, needsStream: true, answer }, () =>
    stageMetadata(log, request.streamName, Buffer.from(SOFT_DELETE_JSON)),
  );
};

/** Deletes a stream for good: its name can never be used again. */
export const tombstone = (log: EventLog, request: DeleteRequest, answer: Answer): void => {
  deleteIfAllowed(log, { ...request, needsStream: false, answer }, () =>
    log.stage(
      log.openStream(request.streamName),
      createSystemEvent({ type: '$streamDeleted', data: EMPTY, json: false }),
      { revision: TOMBSTONE_REVISION },
    ),
  );
};

const deleteIfAllowed = (
  log: EventLog,
  request: DeleteRequest & { readonly needsStream: boolean; readonly answer: Answer },
  stage: () => StagedEvent,
): void => {
  const head = describeHead(log.streams.find(request.streamName));
  const verdict = judgeDelete(request.expected, head, request.needsStream);
  let outcome: AppendOutcome;
  if (verdict.kind === 'append') {
    const staged = stage();
    log.onStaged([staged]);
    outcome = { kind: 'done', revision: staged.revision, position: staged.position };
  } else if (verdict.kind === 'stream-deleted') {
    outcome = verdict;
  } else {
    outcome = { kind: 'wrong-expected-version', current: head.lastRevision };
  }
  log.callAfterCommit((error) => {
    request.answer(error ? createFailure(error) : outcome);
  });
};
