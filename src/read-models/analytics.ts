import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '../ops/log';
import type { Session } from './database';

/** Time for which a start waits for a lock that a reading analyst holds. */
const LOCK_TIMEOUT_MS = 1_000;
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 200;

const readDefinition = (): string => readFileSync(join(__dirname, 'analytics.sql'), 'utf8');

/** Defines the views of the schema `analytics` over the current tables. */
export const defineAnalytics = async (session: Session): Promise<void> => {
  const text = readDefinition();
  await session.query({ text });
  await session.query({ text: `comment on schema analytics is '${computeMark(text)}'` });
};

/**
 * Replaces the views if their definition has changed. Nothing is dropped at first, and no lock is
 * waited for long. If an analyst still holds a view, the views stay unchanged until the next start.
 */
export const replaceAnalytics = async (session: Session): Promise<void> => {
  if (await isDefined(session)) return;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    await session.query({ text: 'savepoint analytics' });
    await session.query({ text: `set local lock_timeout = ${LOCK_TIMEOUT_MS}` });
    try {
      // An earlier version may have had other columns, which `create or replace view` cannot
      // remove.
      if (attempt > 1) await dropAnalytics(session);
      await defineAnalytics(session);
      await session.query({ text: 'set local lock_timeout = default' });
      return;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await session.query({ text: 'rollback to savepoint analytics' });
      await endIdleAnalysts(session);
      await delay(PAUSE_MS);
    }
  }
  log.warn('the views for analysts are in use and stay as they were until the next start');
};

/** Drops the views while the tables under them are swapped. */
export const dropAnalytics = async (session: Session): Promise<void> => {
  const views = await session.query<{ name: string }>({
    text: `select table_name as name from information_schema.views where table_schema = 'analytics'`,
  });
  for (const { name } of views) await session.query({ text: `drop view analytics.${name}` });
};

/**
 * Ends sessions of analysts that hold locks but run nothing. It does nothing if the right for it is
 * missing.
 */
export const endIdleAnalysts = async (session: Session): Promise<void> => {
  await session.query({ text: 'savepoint idle_analysts' });
  try {
    await session.query({
      text: `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'
          and usename in (select role from service.analysts)`,
    });
    await session.query({ text: 'release savepoint idle_analysts' });
  } catch {
    await session.query({ text: 'rollback to savepoint idle_analysts' });
  }
};

const isDefined = async (session: Session): Promise<boolean> => {
  const [found] = await session.query<{ mark: string | null }>({
    text: `select obj_description(oid, 'pg_namespace') as mark from pg_namespace
      where nspname = 'analytics'`,
  });
  return found?.mark === computeMark(readDefinition());
};

const computeMark = (text: string): string => `defined by ${hash('sha256', text).slice(0, 16)}`;

/**
 * True for errors that a repetition may avoid: SQLSTATE lock_not_available, deadlock_detected,
 * query_canceled, and invalid_table_definition (a column that cannot be replaced).
 */
const isTemporary = (error: unknown): boolean =>
  ['55P03', '40P01', '57014', '42P16'].includes(String((error as { code?: unknown }).code));
