import { Client, type ClientBase, Pool, type PoolClient, TypeOverrides, types } from 'pg';
import type { Instant } from '../kernel/time';
import { TimeLimitPassed, waitWithTimeLimit } from '../ops/within';
import { requireFullTlsCheck } from './sql-url';
import { RowNotifier } from './row-notifier';
import { type ChangeStatement, runBatch } from './statement-batch';

/** The time limit of a statement. The server ends a statement that takes longer. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** The time limit for opening a connection. */
const CONNECTION_TIMEOUT_MS = 20_000;
/**
 * The time limit of the client for a response, in case the server or the network is silent. It is
 * longer than the time limit of the server, which reports the reason.
 */
const ANSWER_TIMEOUT_MS = 35_000;
/**
 * The time limit of the client for the response to a batch. The time limit of the server applies to
 * each statement of the batch, so the batch may take longer than one statement.
 */
const BATCH_ANSWER_TIMEOUT_MS = 120_000;
/** The time limit for closing connections. A silent server does not confirm the end. */
const CLOSE_TIMEOUT_MS = 2_000;
/** Schemas of the read models and of short-lived data (idempotency responses, leases). */
const SEARCH_PATH = 'read_model, service';

export interface Query {
  /**
   * Name of the statement. A named statement is prepared once per connection, so the text of a name
   * must be constant.
   */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** The time limit of the response in ms, if it is longer than that of other queries. */
  readonly answerWithinMs?: number;
}

/** Runs queries, on the pool or in one transaction. */
export interface Session {
  query<Row extends object>(query: Query): Promise<Row[]>;
}

export interface WritingSession extends Session {
  /** Runs all statements or none, in one round trip. Their results are discarded. */
  change(statements: readonly ChangeStatement[]): Promise<void>;
}

/**
 * Thrown when the server cannot be reached or the connection was lost. The work may be repeated.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  /**
   * SQLSTATE connection_failure. The client's own errors of a lost connection often have no code.
   */
  readonly code = '08006';
}

interface DatabaseOptions {
  /**
   * Processes that share one session keep their prepared statements apart by a prefix of the names.
   */
  readonly statementPrefix?: string;
  /**
   * The embedded database has one session, in which a statement may wait for long ones of others.
   * It does not fall silent, so its responses have no time limit.
   */
  readonly isEmbedded?: boolean;
}

/** A connection outside the pool. */
export interface OwnSession {
  readonly client: Client;
  /** Closes the connection. A connection to a silent server stays open until the process ends. */
  close(): Promise<void>;
}

/** The SQL database, embedded or external. */
export class Database implements WritingSession {
  private readonly connectionString: string;
  private readonly pool: Pool;
  private readonly statementPrefix: string;
  /** True if all connections share one session, as with the embedded database. */
  readonly isEmbedded: boolean;

  /** Notifies listeners of rows that this process writes. */
  readonly rowNotifier = new RowNotifier();

  /** Called when the database reports that its data is damaged. */
  onDamage: (error: Error) => void = () => undefined;

  constructor(
    url: string,
    connectionsMax: number,
    { statementPrefix = '', isEmbedded = false }: DatabaseOptions = {},
  ) {
    this.statementPrefix = statementPrefix;
    this.isEmbedded = isEmbedded;
    this.connectionString = requireFullTlsCheck(url);
    this.pool = new Pool({
      connectionString: this.connectionString,
      max: connectionsMax,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      ...(isEmbedded
        ? {}
        : { connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, query_timeout: ANSWER_TIMEOUT_MS }),
      types: readTypes,
      // The pool waits for this call and refuses the connection if it fails.
      onConnect: (client) => setUpConnection(client, statementPrefix),
    });
    // The pool replaces a broken idle connection. If the database is unavailable, the next query
    // reports it.
    this.pool.on('error', () => undefined);
  }

  query<Row extends object>(query: Query): Promise<Row[]> {
    return this.withClient((client) => this.runQuery<Row>(client, query), discardConnection);
  }

  change(statements: readonly ChangeStatement[]): Promise<void> {
    return this.withClient((client) => this.runBatch(client, statements), discardConnection);
  }

  /**
   * Runs work in one transaction. It is committed when the work resolves and rolled back when it
   * throws.
   */
  transaction<T>(work: (session: WritingSession) => Promise<T>): Promise<T> {
    return this.withClient(async (client) => {
      await client.query('begin');
      const result = await work({
        query: (query) => this.runQuery(client, query),
        change: (statements) => this.runBatch(client, statements),
      });
      await client.query('commit');
      return result;
    }, rollBack);
  }

  /** Opens a connection outside the pool, for a lock that must last as long as the process. */
  async openSession(): Promise<OwnSession> {
    const { connectionString } = this;
    const client = new Client({
      connectionString,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    // Without a listener, the loss of the connection would end the process.
    client.on('error', () => undefined);
    await client.connect();
    return { client, close: () => closeInTime(client) };
  }

  /** Returns the number of busy and idle connections and of callers that wait for one. */
  connections(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /**
   * Returns true if the database accepts writes, and throws if it does not answer. After a
   * fail-over the address may lead to a read-only standby; such a connection is discarded.
   */
  acceptsWrites(): Promise<boolean> {
    const ask: Query = { text: `select current_setting('transaction_read_only') = 'off' as is` };
    const asked = this.withClient(async (client) => {
      const [writable] = await this.runQuery<{ is: boolean }>(client, ask);
      if (writable?.is !== true) throw new ReadOnlySession();
      return true;
    }, discardConnection);
    return asked.catch((error: unknown) => {
      if (error instanceof ReadOnlySession) return false;
      throw error;
    });
  }

  /** Closes all connections. Connections to a silent server stay open until the process ends. */
  close(): Promise<void> {
    return closeInTime(this.pool);
  }

  /**
   * Lends a connection to work. A connection that breaks emits an event besides failing the query,
   * even if no query is running. Without a listener that event would end the process.
   */
  private async withClient<T>(
    work: (client: PoolClient) => Promise<T>,
    mend: Recovery,
  ): Promise<T> {
    const client = await this.connect();
    const losses: Error[] = [];
    const note = (error: Error): unknown => losses.push(error);
    client.on('error', note);
    let usable = true;
    try {
      return await work(client);
    } catch (error) {
      usable = !isConnectionLoss(error) && (await mend(client)) && !isReadOnly(error);
      this.reportDamage(error);
      throw losses.length > 0 || isConnectionLoss(error)
        ? toConnectionLost(losses[0] ?? error)
        : error;
    } finally {
      client.release(!usable);
      client.off('error', note);
    }
  }

  /**
   * Opens a connection. Every failure counts as a lost connection: the network, a server that
   * starts or stops, or one without free connections.
   */
  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      this.reportDamage(error);
      throw toConnectionLost(error);
    }
  }

  private async runQuery<Row extends object>(
    on: PoolClient,
    { name, text, values, answerWithinMs }: Query,
  ): Promise<Row[]> {
    const result = await on.query<Row>({
      text,
      ...(name === undefined ? {} : { name: this.statementPrefix + name }),
      ...(values === undefined ? {} : { values: [...values] }),
      ...(answerWithinMs === undefined ? {} : { query_timeout: answerWithinMs }),
    });
    return result.rows;
  }

  private runBatch(on: PoolClient, statements: readonly ChangeStatement[]): Promise<void> {
    return runBatch(on, statements, {
      namePrefix: this.statementPrefix,
      answerWithinMs: this.isEmbedded ? null : BATCH_ANSWER_TIMEOUT_MS,
    });
  }

  private reportDamage(error: unknown): void {
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string' && DAMAGE_STATES.includes(code)) this.onDamage(error as Error);
  }
}

const closeInTime = async (connections: { end(): Promise<void> }): Promise<void> => {
  await waitWithTimeLimit(CLOSE_TIMEOUT_MS, connections.end()).catch((error: unknown) => {
    if (!(error instanceof TimeLimitPassed)) throw error;
  });
};

/**
 * Prepares a new connection. PGlite has one session for all connections, so a new connection would
 * otherwise meet the prepared statements of the previous one and fail at their names.
 */
const setUpConnection = (client: ClientBase, prefix: string): unknown =>
  client.query(`${prefix === '' ? 'deallocate all' : deallocate(prefix)};
    set search_path = ${SEARCH_PATH}`);

/** Creates the statement that deallocates this process's statements; those of others stay. */
const deallocate = (prefix: string): string => `do $$
  declare statement text;
  begin
    for statement in select name from pg_prepared_statements
      where starts_with(name, '${prefix}') loop
      execute format('deallocate %I', statement);
    end loop;
  end $$`;

/** Runs after failed work. Resolves to true if the connection can be used again. */
type Recovery = (client: PoolClient) => Promise<boolean>;

/**
 * Discards the connection. A prepared statement whose plan no longer fits would fail on it for
 * ever.
 */
const discardConnection: Recovery = () => Promise.resolve(false);

const rollBack: Recovery = (client) =>
  client.query('rollback').then(
    () => true,
    () => false,
  );

/** SQLSTATE read_only_sql_transaction. The work may succeed on another connection. */
const READ_ONLY = '25006';

class ReadOnlySession extends Error {
  override readonly name = 'ReadOnlySession';
  readonly code = READ_ONLY;
}

const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === READ_ONLY;

/**
 * True for pg's errors of a client that broke before it was used, and of a server that did not
 * answer in time. They have no code and emit no event.
 */
const isConnectionLoss = (error: unknown): boolean =>
  error instanceof Error &&
  /is not queryable$|^Connection terminated|^Query read timeout$/.test(error.message);

const toConnectionLost = (cause: unknown): ConnectionLost =>
  new ConnectionLost('the SQL database cannot be reached', { cause });

/** SQLSTATE: data_corrupted, index_corrupted, undefined_file, io_error. */
const DAMAGE_STATES = ['XX001', 'XX002', '58P01', '58030'];

const toInstant = (text: string): Instant =>
  new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString() as Instant;

/** Parses timestamps as instants (text), not as Dates. All other types are parsed as usual. */
const readTypes = new TypeOverrides();
readTypes.setTypeParser(types.builtins.TIMESTAMPTZ, toInstant);
