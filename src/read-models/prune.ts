import type { Session } from './database';

/** Deleting them takes a tenth of a second at most. */
const BATCH_ROWS = 5_000;

/** Which rows of a table have had their time. */
export interface Outdated {
  readonly table: string;
  /** What an index of the table is sorted by. */
  readonly age: string;
  /** Before when it is too old. */
  readonly before: string;
  /** Of rows that may go at all. */
  readonly where?: string;
}

/**
 * Deletes the oldest rows batch by batch until none is too old: after a rebuild that may be nearly all,
 * more than one statement has time for, and others get the connection in between.
 */
export const deleteOutdated = async (
  session: Session,
  { table, age, before, where = 'true' }: Outdated,
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
