import { TOMBSTONE_REVISION } from './record';

/**
 * The optimistic concurrency and the idempotency of appends, as on EventStoreDB v24.10. An exact
 * revision (or "no stream") below the current one is compared with the stored events. If the same
 * ids are in the same places, the append was made before. This can always be recognised. Without a
 * revision only the recently seen ids are known, and a restart forgets them.
 */
export type ExpectedRevision = number | 'any' | 'no_stream' | 'stream_exists';

export interface StreamHead {
  /** The revision of the last event; -1 before the first one. */
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
  /** Returns the id of the event at a revision of this stream. */
  readonly storedId: (revision: number) => string | undefined;
  /** Returns the place of an id in the stream, if it was appended recently. */
  readonly recent: (id: string) => SeenEvent | undefined;
}

export type AppendVerdict =
  | { readonly kind: 'append' }
  /** Nothing is written, because the events exist. `revision` is that of the last one. */
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
 * Decides by the first id. If it is unknown, the append is new, even if a later id is known. If it
 * is known and a later one is not, the append is refused.
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
 * Decides a delete or a tombstone. A delete needs an existing stream, even with "any"; a tombstone
 * does not. Both check the revision like an append of no events.
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
