import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineAnalytics } from './analytics';
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
    const pending = files().filter((name) => !done.has(name));
    for (const name of pending) await apply(session, name);
    await defineAnalytics(session);
    return pending;
  });

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
