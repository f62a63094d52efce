import { createHash } from 'node:crypto';
import { DomainError } from '../../kernel/errors';
import { type Instant, parseInstant } from '../../kernel/time';
import { isStorable } from '../fields/raw-input';

export const LIMIT_DEFAULT = 50;
export const LIMIT_MAX = 100;
const CURSOR_VERSION = 1;

/** The shape of every list response. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
}

/** A position in a list. All lists are ordered by creation time, then by id. */
export interface Key {
  readonly createdAt: Instant;
  readonly id: string;
}

/** The requested part of a list. */
export interface PageRequest {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly boundary: { readonly key: Key; readonly side: 'after' | 'before' } | null;
  /** A digest of the list's name and filters, which cursors contain. */
  readonly filters: string;
}

export interface PageQuery {
  readonly limit?: number;
  readonly starting_after?: string;
  readonly ending_before?: string;
  readonly order?: 'asc' | 'desc';
}

interface ListFacts {
  /** The list's name and filters. A cursor of another list or of other filters is refused. */
  readonly list: string;
  readonly filters: Readonly<Record<string, unknown>>;
  /**
   * Returns the position of an object in the list; null if there is none. An object id is accepted
   * as a cursor too (D-83).
   */
  readonly keyOf: (id: string) => Promise<Key | null>;
}

export const readPageRequest = async (query: PageQuery, list: ListFacts): Promise<PageRequest> => {
  const { starting_after: after, ending_before: before } = query;
  if (after !== undefined && before !== undefined) {
    throw new DomainError(
      'cursor_conflict',
      'Received both starting_after and ending_before. Send one of them.',
      { param: 'ending_before' },
    );
  }
  const filters = createHash('sha256')
    .update(JSON.stringify([list.list, query.order ?? 'desc', list.filters]))
    .digest('base64url')
    .slice(0, 12);
  const side = before === undefined ? 'after' : 'before';
  const cursor = after ?? before;
  return {
    limit: query.limit ?? LIMIT_DEFAULT,
    order: query.order ?? 'desc',
    filters,
    boundary:
      cursor === undefined
        ? null
        : { side, key: await readCursor(cursor, { filters, side, list }) },
  };
};

interface CursorFacts {
  readonly filters: string;
  readonly side: 'after' | 'before';
  readonly list: ListFacts;
}

const readCursor = async (cursor: string, { filters, side, list }: CursorFacts): Promise<Key> => {
  const param = side === 'after' ? 'starting_after' : 'ending_before';
  const key = decodeCursor(cursor, filters) ?? (await list.keyOf(cursor));
  if (key !== null) return key;
  throw new DomainError(
    'invalid_cursor',
    `${param} must be a cursor of this list with the same filters, or the id of an object in it.`,
    {
      param,
    },
  );
};

const encodeCursor = ({ createdAt, id }: Key, filters: string): string =>
  Buffer.from(JSON.stringify([CURSOR_VERSION, createdAt, id, filters])).toString('base64url');

const decodeCursor = (cursor: string, filters: string): Key | null => {
  try {
    const [version, createdAt, id, of] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[];
    if (version !== CURSOR_VERSION || of !== filters || typeof id !== 'string' || !isStorable(id))
      return null;
    const at = typeof createdAt === 'string' ? parseInstant(createdAt) : null;
    return at === null ? null : { createdAt: at, id };
  } catch {
    return null;
  }
};

/** The number of rows to read: one more than the page has, to know whether there are more. */
export const countRowsToRead = ({ limit }: PageRequest): number => limit + 1;

interface Rows<Item> {
  /** The rows that were read, those nearest to the cursor first, at most `countRowsToRead`. */
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => Key;
}

export const toPage = <Item>(request: PageRequest, { items, keyOf }: Rows<Item>): Page<Item> => {
  const { limit, filters, boundary } = request;
  const backwards = boundary?.side === 'before';
  const more = items.length > limit;
  const kept = items.slice(0, limit);
  const data = backwards ? kept.reverse() : kept;
  const last = data.at(-1);
  const first = data.at(0);
  const olderExist = backwards || more;
  const newerExist = backwards ? more : boundary !== null;
  return {
    data,
    has_more: more,
    // In ascending order new rows are added after the last one, so a client that polls always gets
    // a cursor to continue from.
    next_cursor:
      last !== undefined && (olderExist || request.order === 'asc')
        ? encodeCursor(keyOf(last), filters)
        : null,
    previous_cursor: first !== undefined && newerExist ? encodeCursor(keyOf(first), filters) : null,
  };
};

/**
 * True if rows are read from old to new. It depends on the order of the list and on the side of the
 * cursor.
 */
export const readsUpwards = ({ order, boundary }: PageRequest): boolean =>
  (order === 'asc') !== (boundary?.side === 'before');
