import { type ClientBase, Pool, type PoolClient, TypeOverrides, types } from 'pg';
import type { Instant } from '../kernel/time';
import { RowNews } from './row-news';
import { type Change, runTogether } from './statement-batch';

const STATEMENT_TIMEOUT_MS = 30_000;
/** Read models, and beside them what is short-lived by nature (idempotency responses, leases). */
const SEARCH_PATH = 'read_model, service';

export interface Query {
  /** Named statements are prepared once per connection: use a constant name for a constant text. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Where a query runs: the pool, or one transaction. */
export interface Session {
  query<Row extends object>(query: Query): Promise<Row[]>;
}

export interface WritingSession extends Session {
  /** Runs all of the statements or none, in one round trip; what they answer is not kept. */
  change(statements: readonly Change[]): Promise<void>;
}

/** The server cannot be reached, or went away under the work: the work may be repeated. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  /** SQLSTATE connection_failure: what the client reports of a lost connection often has no code. */
  readonly code = '08006';
}

/** The SQL database, embedded or real: the connection string is all that tells them apart. */
export class Database implements WritingSession {
  private readonly pool: Pool;

  /** Of rows that this process writes. */
  readonly news = new RowNews();

  /** Told when the database reports that what it keeps is damaged. */
  onDamage: (error: Error) => void = () => undefined;

  /** Processes that share one session keep their prepared statements apart by a prefix of the names. */
  constructor(
    connectionString: string,
    connectionsMax: number,
    private readonly statementPrefix = '',
  ) {
    this.pool = new Pool({
      connectionString,
      max: connectionsMax,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      types: readTypes,
      // The pool waits for it, and refuses the connection where it fails.
      onConnect: (client) => setUp(client, statementPrefix),
    });
    // A broken idle connection is replaced by the pool; the next query reports what matters.
    this.pool.on('error', () => undefined);
  }

  query<Row extends object>(query: Query): Promise<Row[]> {
    return this.lend((client) => this.run<Row>(client, query), giveUp);
  }

  change(statements: readonly Change[]): Promise<void> {
    return this.lend((client) => this.runTogether(client, statements), giveUp);
  }

  /** One transaction: committed when the work resolves, rolled back when it throws. */
  transaction<T>(work: (session: WritingSession) => Promise<T>): Promise<T> {
    return this.lend(async (client) => {
      await client.query('begin');
      const result = await work({
        query: (query) => this.run(client, query),
        change: (statements) => this.runTogether(client, statements),
      });
      await client.query('commit');
      return result;
    }, rollBack);
  }

  /** Connections of the pool: at work, idle, and callers that wait for one. */
  connections(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /**
   * Whether it takes writes; throws where it cannot be asked. After a fail-over an address may lead to
   * a standby, which reads only: such a session is given up.
   */
  takesWrites(): Promise<boolean> {
    const ask: Query = { text: `select current_setting('transaction_read_only') = 'off' as is` };
    const asked = this.lend(async (client) => {
      const [writable] = await this.run<{ is: boolean }>(client, ask);
      if (writable?.is !== true) throw new ReadOnly();
      return true;
    }, giveUp);
    return asked.catch((error: unknown) => {
      if (error instanceof ReadOnly) return false;
      throw error;
    });
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  /**
   * A connection that breaks says so by an event of its own, beside the query that fails, and also
   * where no query is under way: with nobody to listen, that event would end the process.
   */
  private async lend<T>(work: (client: PoolClient) => Promise<T>, mend: Mend): Promise<T> {
    const client = await this.connect();
    const losses: Error[] = [];
    const note = (error: Error): unknown => losses.push(error);
    client.on('error', note);
    let usable = true;
    try {
      return await work(client);
    } catch (error) {
      usable = (await mend(client)) && !isReadOnly(error);
      this.reportDamage(error);
      throw losses.length > 0 || isLoss(error) ? lost(losses[0] ?? error) : error;
    } finally {
      client.release(!usable);
      client.off('error', note);
    }
  }

  /** Whatever refuses a connection: the network, a server that starts or stops, one that is full. */
  private async connect(): Promise<PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      this.reportDamage(error);
      throw lost(error);
    }
  }

  private async run<Row extends object>(
    on: PoolClient,
    { name, text, values }: Query,
  ): Promise<Row[]> {
    const result = await on.query<Row>({
      text,
      ...(name === undefined ? {} : { name: this.statementPrefix + name }),
      ...(values === undefined ? {} : { values: [...values] }),
    });
    return result.rows;
  }

  private runTogether(on: PoolClient, statements: readonly Change[]): Promise<void> {
    return runTogether(on, statements, this.statementPrefix);
  }

  private reportDamage(error: unknown): void {
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string' && DAMAGE.includes(code)) this.onDamage(error as Error);
  }
}

/**
 * PGlite has one session for all connections: a new one would meet the statements that the one
 * before it has prepared, and fail at their names for ever.
 */
const setUp = (client: ClientBase, prefix: string): unknown =>
  client.query(`${prefix === '' ? 'deallocate all' : deallocate(prefix)};
    set search_path = ${SEARCH_PATH}`);

/** Statements of other processes, which share the session, stay. */
const deallocate = (prefix: string): string => `do $$
  declare statement text;
  begin
    for statement in select name from pg_prepared_statements
      where starts_with(name, '${prefix}') loop
      execute format('deallocate %I', statement);
    end loop;
  end $$`;

/** What is tried after work that failed: whether the connection can be used again. */
type Mend = (client: PoolClient) => Promise<boolean>;

/** A prepared statement whose plan no longer fits fails on its connection for ever. */
const giveUp: Mend = () => Promise.resolve(false);

const rollBack: Mend = (client) =>
  client.query('rollback').then(
    () => true,
    () => false,
  );

/** SQLSTATE read_only_sql_transaction; on another connection the work may be done. */
const READ_ONLY = '25006';

class ReadOnly extends Error {
  override readonly name = 'ReadOnly';
  readonly code = READ_ONLY;
}

const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === READ_ONLY;

/** What pg says of a client that broke before it was used, with no code and no event any more. */
const isLoss = (error: unknown): boolean =>
  error instanceof Error && /is not queryable$|^Connection terminated/.test(error.message);

const lost = (cause: unknown): ConnectionLost =>
  new ConnectionLost('the SQL database cannot be reached', { cause });

/** SQLSTATE: data_corrupted, index_corrupted, undefined_file, io_error. */
const DAMAGE = ['XX001', 'XX002', '58P01', '58030'];

const toInstant = (text: string): Instant =>
  new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString() as Instant;

/** Timestamps are read as instants (text), not as Dates; everything else as pg does it. */
const readTypes = new TypeOverrides();
readTypes.setTypeParser(types.builtins.TIMESTAMPTZ, toInstant);
