import { hash } from 'node:crypto';
import type { ClientBase, Submittable } from 'pg';

/**
 * A statement that changes rows. It is prepared once per connection, with a name that is derived
 * from its text.
 */
export interface ChangeStatement {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** The functions of a `pg` connection that are used here. pg's own types leave most of them out. */
interface PgConnection {
  readonly stream: { cork(): void; uncork(): void };
  /** The prepared statements of the server: text by name. */
  readonly parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string; types: number[] }): void;
  bind(portal: { statement: string; values: readonly (string | null)[] }): void;
  execute(portal: object): void;
  close(what: { type: 'S'; name: string }): void;
  sync(): void;
}

interface BatchOptions {
  readonly namePrefix: string;
  /** The time limit of the response; null if there is none. */
  readonly answerWithinMs: number | null;
}

/**
 * Several statements followed by one `Sync`. PostgreSQL runs them as one transaction, and they take
 * one round trip. Inside an open transaction they become part of it.
 */
class StatementBatch implements Submittable {
  private readonly prepared = new Map<string, string>();
  private wire: PgConnection | null = null;
  /** The time limit of the response. The `pg` client reads a property with this name. */
  readonly query_timeout: number | undefined;

  constructor(
    private readonly statements: readonly ChangeStatement[],
    private readonly options: BatchOptions,
    /** The client replaces it by a function that also ends the timer of the time limit. */
    public callback: (error: Error | null) => void,
  ) {
    this.query_timeout = options.answerWithinMs ?? undefined;
  }

  submit(connection: unknown): void {
    this.wire = connection as PgConnection;
    this.wire.stream.cork();
    for (const { text, values } of this.statements) {
      const statement = this.prepare(this.wire, text);
      this.wire.bind({ statement, values });
      this.wire.execute({});
    }
    this.wire.sync();
    this.wire.stream.uncork();
  }

  /** The client calls `handleReadyForQuery` only if nothing failed. */
  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    Object.assign(this.wire?.parsedStatements ?? {}, Object.fromEntries(this.prepared));
    this.callback(null);
  }

  handleRowDescription(): void {
    // The rows that a statement returns are not needed.
  }

  handleDataRow(): void {
    // The rows that a statement returns are not needed.
  }

  handleCommandComplete(): void {
    // The end of a single statement does not matter.
  }

  handleEmptyQuery(): void {
    // The result of an empty statement is not needed.
  }

  /**
   * Prepares a statement. A failed batch may already have prepared it, so the name is closed first;
   * closing a name that does not exist is no error.
   */
  private prepare(wire: PgConnection, text: string): string {
    const name = this.options.namePrefix + computeStatementName(text);
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

const computeStatementName = (text: string): string => {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= NAMES_MAX) names.clear();
  const name = `change ${hash('sha1', text)}`;
  names.set(text, name);
  return name;
};

/** Runs the statements in order, all or none. */
export const runBatch = (
  client: ClientBase,
  statements: readonly ChangeStatement[],
  options: BatchOptions,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const onEnd = (error: Error | null): void => {
      if (error === null) resolve();
      else reject(error);
    };
    client.query(new StatementBatch(statements, options, onEnd));
  });
