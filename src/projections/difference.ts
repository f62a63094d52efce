import { Type } from '@sinclair/typebox';
import type { Session } from '../read-models/database';
import type { Projection } from './projection';
import type { Row, Table } from './rows';

/** Columns that do not come from the log: leases and positions of changes. */
export const NON_LOG_COLUMNS: readonly string[] = ['leased_until', 'changed_position'];
/** Maximum of reported differences in one table. */
const DIFFERENCES_MAX = 100;
/** Rows compared at a time. The projector waits for about a twentieth of a second meanwhile. */
const ROWS_MAX = 2_000;

/** A row of a read model that differs from the log. */
export interface Difference {
  readonly projection: string;
  readonly table: string;
  readonly key: Row;
  /** Columns that differ; all columns if the row exists on one side only. */
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

/** Values of the key columns of a row, as PostgreSQL writes them. */
type Key = readonly string[];

/** A range of rows by their keys: after one key, up to another. Null = no bound. */
interface Range {
  readonly after: Key | null;
  readonly upTo: Key | null;
}

interface ComparedTable {
  readonly projection: string;
  readonly table: Table;
}

/**
 * Compares rebuilt tables in a schema with the live ones, row by row. It compares a range of keys
 * at a time, so that other work can run in between. Both sides must be at the same position
 * whenever a range is compared. A change between two ranges has then happened on both sides.
 */
export class Comparison {
  readonly differences: Difference[] = [];
  private readonly remainingTables: ComparedTable[];
  private after: Key | null = null;
  private foundInTable = 0;

  constructor(
    private readonly schema: string,
    projections: readonly Projection[],
  ) {
    this.remainingTables = projections.flatMap(({ name, tables }) =>
      tables.map((table) => ({ projection: name, table })),
    );
  }

  /** Compares the next range. Returns true if it was the last one. */
  async compareNextRange(session: Session): Promise<boolean> {
    const [current] = this.remainingTables;
    if (current === undefined) return true;
    const { after } = this;
    await session.query(FORCE_INDEX_ORDER);
    const upTo = await findRangeEnd(session, this.schema, { table: current.table, after });
    this.recordDifferences(
      current,
      await findDifferingRows(session, this.schema, current.table, { after, upTo }),
    );
    this.after = upTo;
    if (upTo === null || this.foundInTable >= DIFFERENCES_MAX) this.startNextTable();
    return this.remainingTables.length === 0;
  }

  private recordDifferences({ projection, table }: ComparedTable, pairs: readonly Pair[]): void {
    for (const { live, built } of pairs.slice(0, DIFFERENCES_MAX - this.foundInTable)) {
      const row = built ?? live ?? {};
      const key = Object.fromEntries(table.key.map((column) => [column, row[column]]));
      const columns = findDifferingColumns(live ?? {}, built ?? {});
      this.differences.push({ projection, table: table.name, key, columns });
      this.foundInTable += 1;
    }
  }

  private startNextTable(): void {
    this.remainingTables.shift();
    this.after = null;
    this.foundInTable = 0;
  }
}

/**
 * Makes the planner read both sides in the order of their keys by an index and merge them. By
 * default it assumes that a range of keys has one or two rows, and reads far more than the range.
 */
const FORCE_INDEX_ORDER = {
  text: `select ${['sort', 'nestloop', 'hashjoin']
    .map((method) => `set_config('enable_${method}', 'off', true)`)
    .join(', ')}`,
};

/**
 * Returns the key at which the next range ends, so that neither side has more rows than are
 * compared at a time; null if all remaining rows fit.
 */
const findRangeEnd = async (
  session: Session,
  schema: string,
  { table: { name, key }, after }: { table: Table; after: Key | null },
): Promise<Key | null> => {
  const keys = key.join(', ');
  const { text: where, values } = toKeyCondition(key, { after, upTo: null });
  const selectLast = (from: string): string =>
    `(select ${keys} from ${from}.${name} where ${where} order by ${keys} offset ${ROWS_MAX - 1} limit 1)`;
  const [found] = await session.query<{ key: Key }>({
    text: `select array[${key.map((column) => `${column}::text`).join(', ')}] as key
      from (${selectLast('read_model')} union all ${selectLast(schema)}) ends order by ${keys} limit 1`,
    values,
  });
  return found?.key ?? null;
};

const findDifferingRows = (
  session: Session,
  schema: string,
  { name, key, perishable }: Table,
  range: Range,
): Promise<Pair[]> => {
  const join = perishable === true ? 'left join' : 'full join';
  const same = key.map((column) => `l.${column} = b.${column}`).join(' and ');
  const { text: where, values } = toKeyCondition(key, range);
  const left = `$${values.length + 1}::text[]`;
  return session.query<Pair>({
    text: `select to_jsonb(l) - ${left} as live, to_jsonb(b) - ${left} as built
      from (select * from read_model.${name} where ${where}) l
        ${join} (select * from ${schema}.${name} where ${where}) b on ${same}
      where to_jsonb(l) - ${left} is distinct from to_jsonb(b) - ${left}
      limit ${DIFFERENCES_MAX}`,
    values: [...values, NON_LOG_COLUMNS],
  });
};

/**
 * Creates a condition that an index of the key can use. The database converts the values to the
 * types of the columns.
 */
const toKeyCondition = (
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

const findDifferingColumns = (live: Row, built: Row): string[] =>
  [...new Set([...Object.keys(live), ...Object.keys(built)])].filter(
    (column) => JSON.stringify(live[column]) !== JSON.stringify(built[column]),
  );
