import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/**
 * A database for a suite's read models: always the embedded one, and also PostgreSQL if one is
 * available.
 */
export interface TestDatabase {
  readonly name: 'embedded' | 'postgres';
  /** Creates a database of its own and returns the environment for a service that uses it. */
  readonly create: () => Promise<{ env: Record<string, string>; drop: () => Promise<void> }>;
}

const embedded: TestDatabase = {
  name: 'embedded',
  create: () => Promise.resolve({ env: {}, drop: () => Promise.resolve() }),
};

const postgres = (adminUrl: string): TestDatabase => ({
  name: 'postgres',
  create: async () => {
    const database = `ses_test_${randomBytes(6).toString('hex')}`;
    await executeStatement(adminUrl, `create database ${database}`);
    const url = new URL(adminUrl);
    url.pathname = `/${database}`;
    return {
      env: { DATABASE_URL: url.href },
      drop: () => executeStatement(adminUrl, `drop database if exists ${database} with (force)`),
    };
  },
});

const executeStatement = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
};

const url = process.env['TEST_DATABASE_URL'];

const available = url === undefined ? [embedded] : [embedded, postgres(url)];

/**
 * The databases for `describe.each(databases)`. `TEST_SQL=postgres` leaves out the embedded one.
 */
export const databases: readonly TestDatabase[] = available.filter(
  ({ name }) => name === (process.env['TEST_SQL'] ?? name),
);
