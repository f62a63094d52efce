import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from './database';

/** Defines the views of the schema `analytics` anew, over the tables as they are now. */
export const defineAnalytics = async (session: Session): Promise<void> => {
  await session.query({ text: readFileSync(join(__dirname, 'analytics.sql'), 'utf8') });
};

/** Takes the views away while the tables under them are exchanged. */
export const dropAnalytics = async (session: Session): Promise<void> => {
  const views = await session.query<{ name: string }>({
    text: `select table_name as name from information_schema.views where table_schema = 'analytics'`,
  });
  for (const { name } of views) await session.query({ text: `drop view analytics.${name}` });
};
