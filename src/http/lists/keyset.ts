import { hash } from 'node:crypto';
import { requireFilterId } from '../../kernel/required-ids';
import type { Instant } from '../../kernel/time';
import type { Session } from '../../read-models/database';
import {
  type Key,
  type Page,
  readPageRequest,
  type PageQuery,
  readsUpwards,
  countRowsToRead,
  toPage,
} from './pagination';

/** A condition with one `?` for its value. A condition without a value is left out of the query. */
export type Condition = readonly [sql: string, value: unknown];

/**
 * Returns a condition `<column> = ?` for each column. Each filter has the name of its column. An id
 * of another kind is refused.
 */
export const equalTo = <Filters extends object>(
  filters: Filters,
  ...columns: readonly (keyof Filters & string)[]
): Condition[] =>
  columns.map((column) => {
    requireFilterId(column, filters[column]);
    return [`${column} = ?`, filters[column]];
  });

/** Returns the conditions of the filters `created_after` and `created_before`. */
export const createPeriodConditions = ({
  created_after: after,
  created_before: before,
}: CreatedFilters): Condition[] => [
  ['created_at >= ?', after],
  ['created_at < ?', before],
];

interface CreatedFilters {
  readonly created_after?: string;
  readonly created_before?: string;
}

export interface ListSource {
  /** A table or join with the columns `created_at` and `id`. */
  readonly from: string;
  readonly columns: string;
  /** Null for the lists of operators, which contain all tenants. */
  readonly scope: string | null;
  readonly conditions: readonly Condition[];
  /**
   * Conditions that do not come from the request. Their values may change between two pages, so
   * they are not part of the cursor.
   */
  readonly limits?: readonly Condition[];
}

interface ListRow {
  readonly id: string;
  readonly created_at: Instant;
}

/**
 * Reads one page of a list, newest first, by keyset (D-83): it selects the rows after the cursor's
 * position instead of skipping rows. So every page costs the same, and rows that are deleted in the
 * meantime shift nothing.
 */
export const readPage = async <Row extends ListRow>(
  session: Session,
  source: ListSource,
  query: PageQuery,
): Promise<Page<Row>> => {
  const conditions = source.conditions.filter(([, value]) => value !== undefined);
  const request = await readPageRequest(query, {
    list: source.from,
    filters: Object.fromEntries(conditions),
    keyOf: (id) => findKey(session, source, id),
  });
  const upwards = readsUpwards(request);
  const { boundary } = request;
  const all: Condition[] = [
    ...createScopeCondition(source),
    ...conditions,
    ...(source.limits ?? []),
  ];
  const values: unknown[] = all.map(([, value]) => value);
  let where = ['true', ...all.map(([sql], i) => sql.replace('?', `$${i + 1}`))].join(' and ');
  if (boundary !== null) {
    values.push(boundary.key.createdAt, boundary.key.id);
    const compared = upwards ? '>' : '<';
    where += ` and (created_at, id) ${compared} ($${values.length - 1}, $${values.length})`;
  }
  const direction = upwards ? 'asc' : 'desc';
  values.push(countRowsToRead(request));
  const text = `select ${source.columns} from ${source.from} where ${where}
    order by created_at ${direction}, id ${direction} limit $${values.length}`;
  const items = await session.query<Row>({ name: `list ${computeDigest(text)}`, text, values });
  return toPage(request, { items, keyOf: (row) => ({ createdAt: row.created_at, id: row.id }) });
};

const createScopeCondition = ({ scope }: ListSource): Condition[] =>
  scope === null ? [] : [['scope = ?', scope]];

const findKey = async (session: Session, source: ListSource, id: string): Promise<Key | null> => {
  const conditions: Condition[] = [...createScopeCondition(source), ['id = ?', id]];
  const where = conditions.map(([sql], i) => sql.replace('?', `$${i + 1}`)).join(' and ');
  const [row] = await session.query<ListRow>({
    text: `select id, created_at from ${source.from} where ${where}`,
    values: conditions.map(([, value]) => value),
  });
  return row === undefined ? null : { createdAt: row.created_at, id: row.id };
};

const computeDigest = (text: string): string => hash('sha1', text);

export const mapPage = <From, To>(page: Page<From>, map: (item: From) => To): Page<To> => ({
  ...page,
  data: page.data.map(map),
});

/** Maps the items of a page with a function that reads more, such as a subscriber's data key. */
export const mapPageAsync = async <From, To>(
  page: Page<From>,
  map: (item: From) => Promise<To>,
): Promise<Page<To>> => ({ ...page, data: await Promise.all(page.data.map(map)) });
