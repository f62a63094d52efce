import { TOMBSTONE_REVISION } from './record';

/**
 * Optimistic concurrency and idempotency of an append, as EventStoreDB v24.10 decides them.
 *
 * An exact revision (or "no stream") below the current one is compared with what is stored: the same
 * ids in the same places mean the append was made before, which stays true for ever. Without a
 * revision only the recently seen ids are known, and those are forgotten at a restart.
 */
export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists';

export interface StreamHead {
  /** -1 before the first event */
  readonly lastRevision: number;
  readonly softDeleted: boolean;
  readonly hasMetadata: boolean;
}

export interface SeenEvent {
  readonly revision: number;
  readonly position: number;
}

export interface AppendCheck {
  readonly expected: ExpectedRevision;
  readonly head: StreamHead;
  readonly ids: readonly string[];
  /** The id stored at a revision of this stream. */
  readonly storedId: (revision: number) => string | undefined;
  /** The place of this id in the stream, if the id was appended recently. */
  readonly recent: (id: string) => SeenEvent | undefined;
}

export type AppendVerdict =
  | { readonly kind: 'append' }
  /** Nothing to do: the events are there, the last of them at this revision. */
  | { readonly kind: 'repeated'; readonly revision: number }
  | { readonly kind: 'wrong-expected-version' }
  | { readonly kind: 'stream-deleted' };

const APPEND: AppendVerdict = { kind: 'append' };
const WRONG: AppendVerdict = { kind: 'wrong-expected-version' };
const GONE: AppendVerdict = { kind: 'stream-deleted' };

export const judgeAppend = (check: AppendCheck): AppendVerdict => {
  const { expected, head } = check;
  if (head.lastRevision === TOMBSTONE_REVISION) return GONE;
  if (expected === 'stream_exists') {
    if (head.softDeleted) return GONE;
    if (head.lastRevision < 0 && !head.hasMetadata) return WRONG;
  }
  if (expected === 'any' || expected === 'stream_exists') return judgeByRecentIds(check);
  const expectedRevision = expected === 'no_stream' ? -1 : expected;
  if (expectedRevision === head.lastRevision) return APPEND;
  return expectedRevision > head.lastRevision ? WRONG : judgeByStoredIds(check, expectedRevision);
};

/**
 * Whether the first id is known decides: a new first id means a new append, whatever follows it.
 * A known one followed by an unknown one is neither, and refused.
 */
const judgeByRecentIds = ({ ids, recent, head }: AppendCheck): AppendVerdict => {
  const [first] = ids;
  if (first === undefined) return { kind: 'repeated', revision: head.lastRevision };
  if (!recent(first)) return APPEND;
  let last = -1;
  for (const id of ids) {
    const seen = recent(id);
    if (!seen) return WRONG;
    last = seen.revision;
  }
  return { kind: 'repeated', revision: last };
};

const judgeByStoredIds = (check: AppendCheck, expectedRevision: number): AppendVerdict => {
  const { ids, head, storedId: storedId } = check;
  if (ids.length === 0) return { kind: 'repeated', revision: head.lastRevision };
  for (const [index, id] of ids.entries()) {
    if (storedId(expectedRevision + 1 + index) === id) continue;
    const recreates = index === 0 && expectedRevision === -1 && head.softDeleted;
    return recreates ? APPEND : WRONG;
  }
  return { kind: 'repeated', revision: expectedRevision + ids.length };
};

/**
 * A delete needs something to delete, even with "any"; a tombstone does not. Both check the revision
 * like an append of no events.
 */
export const judgeDelete = (
  expected: ExpectedRevision,
  head: StreamHead,
  needsStream: boolean,
): AppendVerdict => {
  if (head.lastRevision === TOMBSTONE_REVISION) return GONE;
  const exists = head.lastRevision >= 0 || head.hasMetadata;
  if (needsStream && !exists) return WRONG;
  if (expected === 'any') return APPEND;
  if (expected === 'stream_exists') return head.softDeleted ? GONE : exists ? APPEND : WRONG;
  const expectedRevision = expected === 'no_stream' ? -1 : expected;
  return expectedRevision === head.lastRevision ? APPEND : WRONG;
};
