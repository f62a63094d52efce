import type { Session, WritingSession } from '../read-models/database';
import type { Change } from '../read-models/statement-batch';

/** A read-model table and the columns that identify a row. */
export interface Table {
  readonly name: string;
  readonly key: readonly string[];
  /** Columns that keep the first value they get. */
  readonly keepsFirst?: readonly string[];
  /** Columns of numbers or instants that keep the highest they get. */
  readonly keepsHighest?: readonly string[];
  /** Columns that change no more once one of them has a certain value. */
  readonly settles?: readonly Settling[];
  /** Rows are taken off before their time (retention, work that is done): the log tells of more. */
  readonly perishable?: true;
}

export interface Settling {
  readonly column: string;
  readonly value: string;
  /** The column itself, and those that go with it. */
  readonly keeps: readonly string[];
  /** Where it is settled only against one other value, and only as far as was counted. */
  readonly against?: {
    readonly value: string;
    /** A row that counts higher here is news; a row that has counted nothing is not settled. */
    readonly counted: string;
  };
}

/** Column values, as JSON: PostgreSQL reads them by the table's own column types. */
export type Row = Readonly<Record<string, unknown>>;

/** Some rows of a scope: those whose column begins with the prefix. */
export interface Stretch {
  readonly scope: string;
  readonly column: string;
  readonly prefix: string;
}

/** What a projection gathers over a batch and writes in a way of its own. */
export interface Gathering {
  /** The statements that write it; it may read first what they depend on. */
  statements(session: Session): Promise<readonly Change[]>;
}

/**
 * The row changes of one batch, gathered so that each table is written by few multi-row statements.
 * A row that changes several times in a batch is written once, with its last values.
 */
export class RowChanges {
  private readonly tables = new Map<Table, Map<string, Row>>();
  private readonly removals = new Map<Table, Map<string, Row>>();
  private readonly stretches: (readonly [Table, Stretch])[] = [];
  private readonly settings: (readonly [Table, Stretch, Row])[] = [];
  private readonly gatherings = new Map<object, Gathering>();
  private readonly last: Change[] = [];

  /**
   * Inserts the row, or sets the given columns of the row that has its key. A table whose rows are
   * set in parts may demand nothing but its key: PostgreSQL checks `not null` before it looks whether
   * the row is there.
   */
  upsert(table: Table, row: Row): void {
    const rows = entry(this.tables, table);
    const key = keyOf(table, row);
    const before = rows.get(key) ?? {};
    rows.set(key, { ...before, ...row, ...kept(table, before, row) });
  }

  /** A row set again after this starts from nothing. */
  remove(table: Table, key: Row): void {
    this.tables.get(table)?.delete(keyOf(table, key));
    entry(this.removals, table).set(keyOf(table, key), key);
  }

  /** Removes a stretch of rows; those set again after this start from nothing. */
  removeStretch(table: Table, stretch: Stretch): void {
    const rows = this.tables.get(table) ?? new Map<string, Row>();
    for (const [key, row] of rows) if (isInside(row, stretch)) rows.delete(key);
    this.stretches.push([table, stretch]);
  }

  /** Sets columns of a stretch of rows; those set again after this have what they are set to. */
  setStretch(table: Table, stretch: Stretch, columns: Row): void {
    const rows = this.tables.get(table) ?? new Map<string, Row>();
    for (const [key, row] of rows) {
      if (isInside(row, stretch)) rows.set(key, { ...row, ...columns });
    }
    this.settings.push([table, stretch, columns]);
  }

  /** The owner's gathering of this batch, begun when it is first asked for. */
  gather<G extends Gathering>(owner: object, begin: () => G): G {
    const gathering = (this.gatherings.get(owner) as G | undefined) ?? begin();
    this.gatherings.set(owner, gathering);
    return gathering;
  }

  /** What rows alone cannot say; runs after the rows are written, in the same transaction. */
  afterwards(statement: Change): void {
    this.last.push(statement);
  }

  /** The rows as they would be written, by table. */
  pending(): (readonly [Table, Row[]])[] {
    return [...this.tables].map(([table, rows]) => [table, [...rows.values()]]);
  }

  async write(session: WritingSession): Promise<void> {
    const statements = await this.statements(session);
    if (statements.length > 0) await session.change(statements);
  }

  /** The statements that write the batch, in their order. */
  async statements(session: Session): Promise<Change[]> {
    const statements: Change[] = [];
    for (const [table, keys] of this.removals) statements.push(remove(table, [...keys.values()]));
    for (const [table, stretch] of this.stretches) statements.push(cut(table, stretch));
    for (const [table, stretch, columns] of this.settings) {
      statements.push(set(table, stretch, columns));
    }
    for (const [table, rows] of this.tables) {
      for (const group of byColumns(rows.values())) statements.push(upsert(table, group));
    }
    for (const gathering of this.gatherings.values()) {
      statements.push(...(await gathering.statements(session)));
    }
    return [...statements, ...this.last];
  }
}

const entry = (map: Map<Table, Map<string, Row>>, table: Table): Map<string, Row> => {
  const found = map.get(table) ?? new Map<string, Row>();
  map.set(table, found);
  return found;
};

/** What the batch has already said of columns that do not change any more. */
const kept = (
  { keepsFirst = [], keepsHighest = [], settles = [] }: Table,
  before: Row,
  row: Row,
): Row => {
  const columns = [
    ...keepsFirst.filter((column) => before[column] != null),
    ...keepsHighest.filter((column) => isHigher(before[column], row[column])),
    ...settles.filter((settling) => isSettled(settling, before, row)).flatMap(({ keeps }) => keeps),
  ];
  return Object.fromEntries(columns.map((column) => [column, before[column]]));
};

/** The same as `settled` says in SQL. */
const isSettled = ({ column, value, against }: Settling, before: Row, row: Row): boolean => {
  if (before[column] !== value) return false;
  if (against === undefined) return true;
  const counted = count(before, against.counted);
  return row[column] === against.value && counted > 0 && counted >= count(row, against.counted);
};

/** Instants are texts that sort. */
const isHigher = (before: unknown, now: unknown): boolean =>
  before != null && (now == null || (before as string) > (now as string));

const count = (row: Row, column: string): number => Number(row[column] ?? 0);

const keyOf = (table: Table, row: Row): string =>
  JSON.stringify(table.key.map((column) => row[column]));

/** Rows that set the same columns go into one statement. */
const byColumns = (rows: Iterable<Row>): Row[][] => {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const columns = Object.keys(row).join();
    const group = groups.get(columns);
    if (group === undefined) groups.set(columns, [row]);
    else group.push(row);
  }
  return [...groups.values()];
};

const upsert = (table: Table, rows: readonly Row[]): Change => {
  const columns = Object.keys(rows[0] ?? {});
  const changed = columns.filter((column) => !table.key.includes(column));
  const onConflict =
    changed.length === 0
      ? 'do nothing'
      : `do update set ${changed.map((column) => assignment(table, column)).join(', ')}`;
  return {
    text: `insert into ${table.name} (${columns.join(', ')})
      select ${columns.join(', ')} from json_populate_recordset(null::${table.name}, $1)
      on conflict (${table.key.join(', ')}) ${onConflict}`,
    values: [JSON.stringify(rows)],
  };
};

const assignment = (
  { name, keepsFirst = [], keepsHighest = [], settles = [] }: Table,
  column: string,
): string => {
  if (keepsFirst.includes(column)) {
    return `${column} = coalesce(${name}.${column}, excluded.${column})`;
  }
  if (keepsHighest.includes(column)) {
    return `${column} = greatest(${name}.${column}, excluded.${column})`;
  }
  const keeping = settles.filter(({ keeps }) => keeps.includes(column));
  if (keeping.length === 0) return `${column} = excluded.${column}`;
  const isKept = keeping.map((settling) => settled(name, settling)).join(' or ');
  return `${column} = case when ${isKept} then ${name}.${column} else excluded.${column} end`;
};

/** The same as `isSettled` says of a batch. */
const settled = (name: string, { column, value, against }: Settling): string => {
  const isValue = `${name}.${column} = '${value}'`;
  if (against === undefined) return isValue;
  const { counted } = against;
  return `(${isValue} and excluded.${column} = '${against.value}'
    and ${name}.${counted} > 0 and ${name}.${counted} >= excluded.${counted})`;
};

const remove = (table: Table, keys: readonly Row[]): Change => {
  const same = table.key.map((column) => `t.${column} = k.${column}`).join(' and ');
  return {
    text: `delete from ${table.name} t
      using json_populate_recordset(null::${table.name}, $1) k where ${same}`,
    values: [JSON.stringify(keys)],
  };
};

const isInside = (row: Row, { scope, column, prefix }: Stretch): boolean =>
  row['scope'] === scope && String(row[column]).startsWith(prefix);

const set = ({ name }: Table, { scope, column, prefix }: Stretch, row: Row): Change => {
  const columns = Object.keys(row).join(', ');
  return {
    text: `update ${name} set (${columns}) =
      (select ${columns} from json_populate_record(null::${name}, $4)) where ${inside(column)}`,
    values: [scope, prefix, `${prefix}~`, JSON.stringify(row)],
  };
};

const cut = ({ name }: Table, { scope, column, prefix }: Stretch): Change => ({
  text: `delete from ${name} where ${inside(column)}`,
  values: [scope, prefix, `${prefix}~`],
});

/** Ids are ASCII without `~` and compared byte by byte, so that an index finds the stretch. */
const inside = (column: string): string => `scope = $1 and ${column} >= $2 and ${column} < $3`;
