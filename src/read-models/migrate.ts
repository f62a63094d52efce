import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config';
import { VERSION } from '../ops/version';
import { endIdleAnalysts, replaceAnalytics } from './analytics';
import type { Database, Session } from './database';

/** Any constant number; it keeps two starting processes from migrating at once. */
const MIGRATION_LOCK = 7_203_114;
const FOLDER = join(__dirname, 'migrations');

/** Brings the schema up to date: numbered files, forward only, each once, all in one transaction. */
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
    refuseUnknown([...done]);
    const pending = files().filter((name) => !done.has(name));
    if (pending.length > 0 && done.has(ANALYSTS_SINCE)) await endIdleAnalysts(session);
    for (const name of pending) await apply(session, name);
    await replaceAnalytics(session);
    return pending;
  });

/** A database that a later version has changed may not be what this one expects. */
const refuseUnknown = (applied: readonly string[]): void => {
  const known = new Set(files());
  const unknown = applied.filter((name) => !known.has(name)).sort();
  if (unknown.length === 0) return;
  throw new ConfigError([
    `the SQL database has changes that this version, ${VERSION}, does not know ` +
      `(${unknown.slice(0, 3).join(', ')}): a later version made them. Start the later version, or ` +
      'give this one an empty SQL database (DATABASE_URL; without the variable delete ' +
      'DATA_DIR/sql): it is rebuilt from the log',
  ]);
};

/** The migration that the table of analysts came with. */
const ANALYSTS_SINCE = '0082-analysts.sql';

const files = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();

const apply = async (session: Session, name: string): Promise<void> => {
  await session.query({ text: readFileSync(join(FOLDER, name), 'utf8') });
  await session.query({
    text: 'insert into service.migrations (name) values ($1)',
    values: [name],
  });
};
