import { Type } from '@sinclair/typebox';
import type { Session } from '../read-models/database';
import type { Projection } from './projection';
import type { Row, Table } from './rows';

/** Columns that say who is at work on a row, not what the log says; and marks of when. */
export const NOT_FROM_THE_LOG: readonly string[] = ['leased_until', 'changed_position'];
/** Of one table: more tell no more. */
const DIFFERENCES_MAX = 100;

/** Of one table; the projector waits meanwhile. */
const COMPARISON_TIMEOUT_MS = 10 * 60_000;

/** A row of a read model that is not what the log says. */
export interface Difference {
  readonly projection: string;
  readonly table: string;
  readonly key: Row;
  /** Those that differ; all of them where the row is only on one side. */
  readonly columns: readonly string[];
}

export const DifferenceResource = Type.Object(
  {
    projection: Type.String(),
    table: Type.String(),
    key: Type.Object({}, { additionalProperties: true }),
    columns: Type.Array(Type.String()),
  },
  { title: 'Difference' },
);

interface Pair {
  readonly live: Row | null;
  readonly built: Row | null;
}

/** Compares tables built anew in a schema with the live ones, row by row. */
export const compareTables = async (
  session: Session,
  schema: string,
  projections: readonly Projection[],
): Promise<Difference[]> => {
  const differences: Difference[] = [];
  await session.query({ text: `set local statement_timeout = ${COMPARISON_TIMEOUT_MS}` });
  for (const { name: projection, tables } of projections) {
    for (const table of tables) {
      for (const { live, built } of await differingRows(session, schema, table)) {
        const row = built ?? live ?? {};
        const key = Object.fromEntries(table.key.map((column) => [column, row[column]]));
        const columns = differingColumns(live ?? {}, built ?? {});
        differences.push({ projection, table: table.name, key, columns });
      }
    }
  }
  return differences;
};

const differingRows = (
  session: Session,
  schema: string,
  { name, key, perishable }: Table,
): Promise<Pair[]> => {
  const join = perishable === true ? 'left join' : 'full join';
  const same = key.map((column) => `l.${column} = b.${column}`).join(' and ');
  return session.query<Pair>({
    text: `select to_jsonb(l) - $1::text[] as live, to_jsonb(b) - $1::text[] as built
      from read_model.${name} l ${join} ${schema}.${name} b on ${same}
      where to_jsonb(l) - $1::text[] is distinct from to_jsonb(b) - $1::text[]
      limit ${DIFFERENCES_MAX}`,
    values: [NOT_FROM_THE_LOG],
  });
};

const differingColumns = (live: Row, built: Row): string[] =>
  [...new Set([...Object.keys(live), ...Object.keys(built)])].filter(
    (column) => JSON.stringify(live[column]) !== JSON.stringify(built[column]),
  );
