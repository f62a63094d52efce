import { hash } from 'node:crypto';
import type { ClientBase, Submittable } from 'pg';

/** A statement that changes rows. It is prepared once per connection, under a name made from its text. */
export interface Change {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** What `pg` has of a connection, as far as it is used here: its types leave most of it out. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** The texts of the statements that the server has prepared, by name. */
  readonly parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string; types: number[] }): void;
  bind(portal: { statement: string; values: readonly (string | null)[] }): void;
  execute(portal: object): void;
  close(what: { type: 'S'; name: string }): void;
  sync(): void;
}

/**
 * Several statements with one `Sync` behind them: PostgreSQL runs them as one transaction, and they
 * cost one round trip. Inside a transaction that is open already they become a part of it.
 */
class StatementBatch implements Submittable {
  private readonly prepared = new Map<string, string>();
  private wire: Wire | null = null;

  constructor(
    private readonly statements: readonly Change[],
    private readonly namePrefix: string,
    private readonly settle: (error: Error | null) => void,
  ) {}

  submit(connection: unknown): void {
    this.wire = connection as Wire;
    this.wire.stream.cork();
    for (const { text, values } of this.statements) {
      const statement = this.prepare(this.wire, text);
      this.wire.bind({ statement, values });
      this.wire.execute({});
    }
    this.wire.sync();
    this.wire.stream.uncork();
  }

  /** The client tells of the end only where nothing failed. */
  handleError(error: Error): void {
    this.settle(error);
  }

  handleReadyForQuery(): void {
    Object.assign(this.wire?.parsedStatements ?? {}, Object.fromEntries(this.prepared));
    this.settle(null);
  }

  handleRowDescription(): void {
    // Nobody asks for the rows.
  }

  handleDataRow(): void {
    // As above.
  }

  handleCommandComplete(): void {
    // The end of all of them counts.
  }

  handleEmptyQuery(): void {
    // As above.
  }

  /** A batch that failed may have prepared it without our knowledge: closing what is not there is no error. */
  private prepare(wire: Wire, text: string): string {
    const name = this.namePrefix + nameOf(text);
    if (wire.parsedStatements[name] === undefined && !this.prepared.has(name)) {
      wire.close({ type: 'S', name });
      wire.parse({ name, text, types: [] });
      this.prepared.set(name, text);
    }
    return name;
  }
}

const names = new Map<string, string>();
const NAMES_MAX = 10_000;

const nameOf = (text: string): string => {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= NAMES_MAX) names.clear();
  const name = `change ${hash('sha1', text)}`;
  names.set(text, name);
  return name;
};

/** Runs the statements in their order, all of them or none. */
export const runTogether = (
  client: ClientBase,
  statements: readonly Change[],
  namePrefix: string,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (error: Error | null): void => {
      if (error === null) resolve();
      else reject(error);
    };
    client.query(new StatementBatch(statements, namePrefix, settle));
  });
