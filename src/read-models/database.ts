import { Pool, type PoolClient, TypeOverrides, types } from 'pg';
import type { Instant } from '../kernel/time';

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

/** The SQL database, embedded or real: the connection string is all that tells them apart. */
export class Database implements Session {
  private readonly pool: Pool;

  /** Told when the database reports that what it keeps is damaged. */
  onDamage: (error: Error) => void = () => undefined;

  constructor(connectionString: string, connectionsMax: number) {
    this.pool = new Pool({
      connectionString,
      max: connectionsMax,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      types: readTypes,
    });
    this.pool.on('connect', (client) => {
      void client.query(`set search_path = ${SEARCH_PATH}`);
    });
    // A broken idle connection is replaced by the pool; the next query reports what matters.
    this.pool.on('error', () => undefined);
  }

  async query<Row extends object>(query: Query): Promise<Row[]> {
    try {
      return await run<Row>(this.pool, query);
    } catch (error) {
      this.reportDamage(error);
      throw error;
    }
  }

  /** One transaction: committed when the work resolves, rolled back when it throws. */
  async transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const result = await work({ query: (query) => run(client, query) });
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((cause: unknown) => {
        broken = cause as Error;
      });
      this.reportDamage(error);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private reportDamage(error: unknown): void {
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string' && DAMAGE.includes(code)) this.onDamage(error as Error);
  }
}

/** SQLSTATE: data_corrupted, index_corrupted, undefined_file, io_error. */
const DAMAGE = ['XX001', 'XX002', '58P01', '58030'];

const run = async <Row extends object>(
  on: Pool | PoolClient,
  { name, text, values }: Query,
): Promise<Row[]> => {
  const result = await on.query<Row>({
    text,
    ...(name === undefined ? {} : { name }),
    ...(values === undefined ? {} : { values: [...values] }),
  });
  return result.rows;
};

const toInstant = (text: string): Instant =>
  new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString() as Instant;

/** Timestamps are read as instants (text), not as Dates; everything else as pg does it. */
const readTypes = new TypeOverrides();
readTypes.setTypeParser(types.builtins.TIMESTAMPTZ, toInstant);
