import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config';
import { VERSION } from '../ops/version';
import { endIdleAnalysts, replaceAnalytics } from './analytics';
import type { Database, Session } from './database';

/**
 * A constant number that identifies the lock by which two starting processes do not migrate at the
 * same time.
 */
const MIGRATION_LOCK = 7_203_114;
/** A migration of many rows may lift the server's time limit of a statement. */
const MIGRATION_TIMEOUT_MS = 3_600_000;
const MIGRATIONS_FOLDER = join(__dirname, 'migrations');

/**
 * Brings the schema up to date. Migrations are numbered files, applied once and only forward, all
 * in one transaction.
 */
export const migrate = (database: Database): Promise<string[]> =>
  database.transaction(async (session) => {
    await session.query({ text: `select pg_advisory_xact_lock(${MIGRATION_LOCK})` });
    await session.query({ text: 'create schema if not exists service' });
    await session.query({
      text: `create table if not exists service.migrations (
        name text primary key, applied_at timestamptz not null default now())`,
    });
    const applied = await session.query<{ name: string }>({
      text: 'select name from service.migrations',
    });
    const done = new Set(applied.map(({ name }) => name));
    refuseUnknownMigrations([...done]);
    const pending = listFiles().filter((name) => !done.has(name));
    if (pending.length > 0 && done.has(ANALYSTS_MIGRATION)) await endIdleAnalysts(session);
    for (const name of pending) await apply(session, name);
    await replaceAnalytics(session);
    return pending;
  });

/**
 * Throws if a later version has changed the database, because this version may not understand it.
 */
const refuseUnknownMigrations = (applied: readonly string[]): void => {
  const known = new Set(listFiles());
  const unknown = applied.filter((name) => !known.has(name)).sort();
  if (unknown.length === 0) return;
  throw new ConfigError([
    `the SQL database has changes that this version, ${VERSION}, does not know ` +
      `(${unknown.slice(0, 3).join(', ')}): a later version made them. Start the later version, or ` +
      'give this one an empty SQL database (DATABASE_URL; without the variable delete ' +
      'DATA_DIR/sql): it is rebuilt from the log',
  ]);
};

/** The migration that created the table of analysts. */
const ANALYSTS_MIGRATION = '0082-analysts.sql';

const listFiles = (): string[] =>
  readdirSync(MIGRATIONS_FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();

/** The number of migrations that this version knows. */
export const countMigrations = (): number => listFiles().length;

const apply = async (session: Session, name: string): Promise<void> => {
  await session.query({
    text: readFileSync(join(MIGRATIONS_FOLDER, name), 'utf8'),
    answerWithinMs: MIGRATION_TIMEOUT_MS,
  });
  await session.query({
    text: 'insert into service.migrations (name) values ($1)',
    values: [name],
  });
};
