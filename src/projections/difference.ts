import { Type } from '@sinclair/typebox';
import type { Session } from '../read-models/database';
import type { Projection } from './projection';
import type { Row, Table } from './rows';

/** Columns that say who is at work on a row, not what the log says; and marks of when. */
export const NOT_FROM_THE_LOG: readonly string[] = ['leased_until', 'changed_position'];
/** Of one table: more tell no more. */
const DIFFERENCES_MAX = 100;
/** Compared at a time; the projector waits meanwhile, about a twentieth of a second. */
const ROWS_MAX = 2_000;

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

/** Values of a table's key columns, as PostgreSQL writes them. */
type Key = readonly string[];

/** Rows of a table by their keys: those after one, up to another. Null = no bound. */
interface Range {
  readonly after: Key | null;
  readonly upTo: Key | null;
}

interface Compared {
  readonly projection: string;
  readonly table: Table;
}

/**
 * Compares tables built anew in a schema with the live ones, row by row, a range of keys at a time, so
 * that others get their turns in between. Whenever a range is compared, both sides have to stand at
 * the same position: what changes between two ranges then has changed on both sides.
 */
export class Comparison {
  readonly differences: Difference[] = [];
  private readonly left: Compared[];
  private after: Key | null = null;
  private foundInTable = 0;

  constructor(
    private readonly schema: string,
    projections: readonly Projection[],
  ) {
    this.left = projections.flatMap(({ name, tables }) =>
      tables.map((table) => ({ projection: name, table })),
    );
  }

  /** Compares the next range, and answers whether it was the last one. */
  async next(session: Session): Promise<boolean> {
    const [current] = this.left;
    if (current === undefined) return true;
    const { after } = this;
    await session.query(BY_KEY);
    const upTo = await endOfRange(session, this.schema, { table: current.table, after });
    this.note(current, await differingRows(session, this.schema, current.table, { after, upTo }));
    this.after = upTo;
    if (upTo === null || this.foundInTable >= DIFFERENCES_MAX) this.nextTable();
    return this.left.length === 0;
  }

  private note({ projection, table }: Compared, pairs: readonly Pair[]): void {
    for (const { live, built } of pairs.slice(0, DIFFERENCES_MAX - this.foundInTable)) {
      const row = built ?? live ?? {};
      const key = Object.fromEntries(table.key.map((column) => [column, row[column]]));
      const columns = differingColumns(live ?? {}, built ?? {});
      this.differences.push({ projection, table: table.name, key, columns });
      this.foundInTable += 1;
    }
  }

  private nextTable(): void {
    this.left.shift();
    this.after = null;
    this.foundInTable = 0;
  }
}

/**
 * Both sides are read in the order of their keys, by an index, and merged. Left to itself, the planner
 * takes a range of keys of several columns for a row or two, and reads far more than the range.
 */
const BY_KEY = {
  text: `select ${['sort', 'nestloop', 'hashjoin']
    .map((method) => `set_config('enable_${method}', 'off', true)`)
    .join(', ')}`,
};

/** The key up to which neither side has more rows than are compared at a time; null = all there are. */
const endOfRange = async (
  session: Session,
  schema: string,
  { table: { name, key }, after }: { table: Table; after: Key | null },
): Promise<Key | null> => {
  const keys = key.join(', ');
  const { text: where, values } = within(key, { after, upTo: null });
  const last = (from: string): string =>
    `(select ${keys} from ${from}.${name} where ${where} order by ${keys} offset ${ROWS_MAX - 1} limit 1)`;
  const [found] = await session.query<{ key: Key }>({
    text: `select array[${key.map((column) => `${column}::text`).join(', ')}] as key
      from (${last('read_model')} union all ${last(schema)}) ends order by ${keys} limit 1`,
    values,
  });
  return found?.key ?? null;
};

const differingRows = (
  session: Session,
  schema: string,
  { name, key, perishable }: Table,
  range: Range,
): Promise<Pair[]> => {
  const join = perishable === true ? 'left join' : 'full join';
  const same = key.map((column) => `l.${column} = b.${column}`).join(' and ');
  const { text: where, values } = within(key, range);
  const left = `$${values.length + 1}::text[]`;
  return session.query<Pair>({
    text: `select to_jsonb(l) - ${left} as live, to_jsonb(b) - ${left} as built
      from (select * from read_model.${name} where ${where}) l
        ${join} (select * from ${schema}.${name} where ${where}) b on ${same}
      where to_jsonb(l) - ${left} is distinct from to_jsonb(b) - ${left}
      limit ${DIFFERENCES_MAX}`,
    values: [...values, NOT_FROM_THE_LOG],
  });
};

/** A condition that an index of the key answers; its values are read as the columns' own types. */
const within = (
  key: readonly string[],
  { after, upTo }: Range,
): { text: string; values: readonly string[] } => {
  const values = [...(after ?? []), ...(upTo ?? [])];
  const bound = (operator: string, from: number): string =>
    `(${key.join(', ')}) ${operator} (${key.map((_, i) => `$${from + i + 1}`).join(', ')})`;
  const conditions = [
    ...(after === null ? [] : [bound('>', 0)]),
    ...(upTo === null ? [] : [bound('<=', after?.length ?? 0)]),
  ];
  return { text: ['true', ...conditions].join(' and '), values };
};

const differingColumns = (live: Row, built: Row): string[] =>
  [...new Set([...Object.keys(live), ...Object.keys(built)])].filter(
    (column) => JSON.stringify(live[column]) !== JSON.stringify(built[column]),
  );
