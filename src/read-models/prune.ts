import type { Session } from './database';

/** Rows deleted at a time, which takes at most a tenth of a second. */
const BATCH_ROWS = 5_000;

/** Describes the rows of a table that are older than their retention. */
export interface OutdatedRows {
  readonly table: string;
  /** The age as an SQL expression that has an index. */
  readonly age: string;
  /** SQL expression of the instant before which rows are too old. */
  readonly before: string;
  /** SQL condition of rows that may be deleted. */
  readonly where?: string;
}

/**
 * Deletes the oldest rows in batches until none is too old. After a rebuild these may be nearly all
 * rows, too many for one statement, and other work can use the connection in between.
 */
export const deleteOutdated = async (
  session: Session,
  { table, age, before, where = 'true' }: OutdatedRows,
  signal: AbortSignal,
): Promise<void> => {
  const text = `with deleted as (
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${where} and ${age} < ${before}
        order by ${age} limit ${BATCH_ROWS}))
      returning 1)
    select count(*)::int as count from deleted`;
  let isRest = false;
  while (!isRest && !signal.aborted) {
    const [deleted] = await session.query<{ count: number }>({ text });
    isRest = (deleted?.count ?? 0) < BATCH_ROWS;
  }
};
