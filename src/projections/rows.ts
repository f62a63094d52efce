import type { Session, WritingSession } from '../read-models/database';
import type { ChangeStatement } from '../read-models/statement-batch';

/** A read-model table and the columns that identify a row. */
export interface Table {
  readonly name: string;
  readonly key: readonly string[];
  /** Columns that keep their first value. */
  readonly keepsFirst?: readonly string[];
  /** Columns of numbers or instants that keep their highest value. */
  readonly keepsHighest?: readonly string[];
  /** Columns that no longer change once one of them has a certain value. */
  readonly finalValues?: readonly FinalValue[];
  /**
   * True if rows are deleted by retention or when their work is done, so the log has more than the
   * table.
   */
  readonly perishable?: true;
}

export interface FinalValue {
  readonly column: string;
  readonly value: string;
  /** The columns that become final, usually including `column` itself. */
  readonly finalColumns: readonly string[];
  /**
   * If present, the value is final only if the new row has exactly this other value and does not
   * have a higher count.
   */
  readonly onlyAgainst?: {
    readonly value: string;
    /**
     * The column with the count. A new row with a higher count replaces the value. A row with the
     * count 0 is never final.
     */
    readonly countColumn: string;
  };
}

/** Column values as JSON. PostgreSQL converts them to the types of the columns. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of a scope whose column begins with a prefix. */
export interface RowRange {
  readonly scope: string;
  readonly column: string;
  readonly prefix: string;
}

/** Collects changes over a batch that a projection writes with statements of its own. */
export interface BatchAccumulator {
  /** Returns the statements to write. It may read first what they depend on. */
  statements(session: Session): Promise<readonly ChangeStatement[]>;
}

/**
 * The row changes of one batch. They are collected so that each table is written with few multi-row
 * statements. A row that changes several times in a batch is written once, with its last values.
 */
export class RowChanges {
  private readonly tables = new Map<Table, Map<string, Row>>();
  private readonly removals = new Map<Table, Map<string, Row>>();
  private readonly removedRanges: (readonly [Table, RowRange])[] = [];
  private readonly updatedRanges: (readonly [Table, RowRange, Row])[] = [];
  private readonly accumulators = new Map<object, BatchAccumulator>();
  private readonly lastStatements: ChangeStatement[] = [];

  /**
   * Inserts the row, or sets the given columns of the row with the same key. If a table's rows are
   * set in parts, only its key may be `not null`, because PostgreSQL checks `not null` before it
   * looks for the existing row.
   */
  upsert(table: Table, row: Row): void {
    const rows = getRows(this.tables, table);
    const key = toKey(table, row);
    const before = rows.get(key) ?? {};
    rows.set(key, { ...before, ...row, ...selectKeptColumns(table, before, row) });
  }

  /** Removes a row. A row that is set again after this starts empty. */
  remove(table: Table, key: Row): void {
    this.tables.get(table)?.delete(toKey(table, key));
    getRows(this.removals, table).set(toKey(table, key), key);
  }

  /** Removes a range of rows. Rows that are set again after this start empty. */
  removeRange(table: Table, stretch: RowRange): void {
    const rows = this.tables.get(table) ?? new Map<string, Row>();
    for (const [key, row] of rows) if (isInside(row, stretch)) rows.delete(key);
    this.removedRanges.push([table, stretch]);
  }

  /** Sets columns of a range of rows. Rows that are set after this have their own values. */
  updateRange(table: Table, stretch: RowRange, columns: Row): void {
    const rows = this.tables.get(table) ?? new Map<string, Row>();
    for (const [key, row] of rows) {
      if (isInside(row, stretch)) rows.set(key, { ...row, ...columns });
    }
    this.updatedRanges.push([table, stretch, columns]);
  }

  /** Returns the owner's accumulator of this batch and creates it on first use. */
  accumulate<G extends BatchAccumulator>(owner: object, begin: () => G): G {
    const gathering = (this.accumulators.get(owner) as G | undefined) ?? begin();
    this.accumulators.set(owner, gathering);
    return gathering;
  }

  /** Adds a statement that runs after the rows are written, in the same transaction. */
  runAfterRows(statement: ChangeStatement): void {
    this.lastStatements.push(statement);
  }

  /** Returns the rows to be written, by table. */
  listPending(): (readonly [Table, Row[]])[] {
    return [...this.tables].map(([table, rows]) => [table, [...rows.values()]]);
  }

  async write(session: WritingSession): Promise<void> {
    const statements = await this.createStatements(session);
    if (statements.length > 0) await session.change(statements);
  }

  /** Returns the statements that write the batch, in order. */
  async createStatements(session: Session): Promise<ChangeStatement[]> {
    const statements: ChangeStatement[] = [];
    for (const [table, keys] of this.removals)
      statements.push(removeStatement(table, [...keys.values()]));
    for (const [table, stretch] of this.removedRanges)
      statements.push(removeRangeStatement(table, stretch));
    for (const [table, stretch, columns] of this.updatedRanges) {
      statements.push(updateRangeStatement(table, stretch, columns));
    }
    for (const [table, rows] of this.tables) {
      for (const group of groupByColumns(rows.values()))
        statements.push(upsertStatement(table, group));
    }
    for (const gathering of this.accumulators.values()) {
      statements.push(...(await gathering.statements(session)));
    }
    return [...statements, ...this.lastStatements];
  }
}

const getRows = (map: Map<Table, Map<string, Row>>, table: Table): Map<string, Row> => {
  const found = map.get(table) ?? new Map<string, Row>();
  map.set(table, found);
  return found;
};

/** Returns the values of the batch that later values of the same row must not replace. */
const selectKeptColumns = (
  { keepsFirst = [], keepsHighest = [], finalValues = [] }: Table,
  before: Row,
  row: Row,
): Row => {
  const columns = [
    ...keepsFirst.filter((column) => before[column] != null),
    ...keepsHighest.filter((column) => isHigher(before[column], row[column])),
    ...finalValues
      .filter((final) => isFinal(final, before, row))
      .flatMap(({ finalColumns }) => finalColumns),
  ];
  return Object.fromEntries(columns.map((column) => [column, before[column]]));
};

/** Computes the same condition as `toFinalCondition` in SQL. */
const isFinal = ({ column, value, onlyAgainst }: FinalValue, before: Row, row: Row): boolean => {
  if (before[column] !== value) return false;
  if (onlyAgainst === undefined) return true;
  const counted = readCount(before, onlyAgainst.countColumn);
  return (
    row[column] === onlyAgainst.value &&
    counted > 0 &&
    counted >= readCount(row, onlyAgainst.countColumn)
  );
};

/** Compares two values. Instants are texts that sort by time. */
const isHigher = (before: unknown, now: unknown): boolean =>
  before != null && (now == null || (before as string) > (now as string));

const readCount = (row: Row, column: string): number => Number(row[column] ?? 0);

const toKey = (table: Table, row: Row): string =>
  JSON.stringify(table.key.map((column) => row[column]));

/** Groups rows that set the same columns, because they can share a statement. */
const groupByColumns = (rows: Iterable<Row>): Row[][] => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const columns = Object.keys(row).join();
    const group = groups.get(columns);
    if (group === undefined) groups.set(columns, [row]);
    else group.push(row);
  }
  return [...groups.values()];
};

const upsertStatement = (table: Table, rows: readonly Row[]): ChangeStatement => {
  const columns = Object.keys(rows[0] ?? {});
  const changed = columns.filter((column) => !table.key.includes(column));
  const onConflict =
    changed.length === 0
      ? 'do nothing'
      : `do update set ${changed.map((column) => toAssignment(table, column)).join(', ')}`;
  return {
    text: `insert into ${table.name} (${columns.join(', ')})
      select ${columns.join(', ')} from json_populate_recordset(null::${table.name}, $1)
      on conflict (${table.key.join(', ')}) ${onConflict}`,
    values: [JSON.stringify(rows)],
  };
};

const toAssignment = (
  { name, keepsFirst = [], keepsHighest = [], finalValues = [] }: Table,
  column: string,
): string => {
  if (keepsFirst.includes(column)) {
    return `${column} = coalesce(${name}.${column}, excluded.${column})`;
  }
  if (keepsHighest.includes(column)) {
    return `${column} = greatest(${name}.${column}, excluded.${column})`;
  }
  const keeping = finalValues.filter(({ finalColumns }) => finalColumns.includes(column));
  if (keeping.length === 0) return `${column} = excluded.${column}`;
  const isKept = keeping.map((settling) => toFinalCondition(name, settling)).join(' or ');
  return `${column} = case when ${isKept} then ${name}.${column} else excluded.${column} end`;
};

/** Creates the same condition as `isFinal` in SQL. */
const toFinalCondition = (name: string, { column, value, onlyAgainst }: FinalValue): string => {
  const isValue = `${name}.${column} = '${value}'`;
  if (onlyAgainst === undefined) return isValue;
  const { countColumn } = onlyAgainst;
  return `(${isValue} and excluded.${column} = '${onlyAgainst.value}'
    and ${name}.${countColumn} > 0 and ${name}.${countColumn} >= excluded.${countColumn})`;
};

const removeStatement = (table: Table, keys: readonly Row[]): ChangeStatement => {
  const same = table.key.map((column) => `t.${column} = k.${column}`).join(' and ');
  return {
    text: `delete from ${table.name} t
      using json_populate_recordset(null::${table.name}, $1) k where ${same}`,
    values: [JSON.stringify(keys)],
  };
};

const isInside = (row: Row, { scope, column, prefix }: RowRange): boolean =>
  row['scope'] === scope && String(row[column]).startsWith(prefix);

const updateRangeStatement = (
  { name }: Table,
  { scope, column, prefix }: RowRange,
  row: Row,
): ChangeStatement => {
  const columns = Object.keys(row).join(', ');
  return {
    text: `update ${name} set (${columns}) =
      (select ${columns} from json_populate_record(null::${name}, $4)) where ${toRangeCondition(column)}`,
    values: [scope, prefix, `${prefix}~`, JSON.stringify(row)],
  };
};

const removeRangeStatement = (
  { name }: Table,
  { scope, column, prefix }: RowRange,
): ChangeStatement => ({
  text: `delete from ${name} where ${toRangeCondition(column)}`,
  values: [scope, prefix, `${prefix}~`],
});

/**
 * Creates a condition for ids that begin with a prefix. Ids are ASCII without `~` and compared byte
 * by byte, so an index can be used.
 */
const toRangeCondition = (column: string): string =>
  `scope = $1 and ${column} >= $2 and ${column} < $3`;
