import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedSql } from '../../src/embedded-sql/start';

/**
 * Returns an empty embedded database to copy, because creating one takes seconds and copying does
 * not. It is created once per PGlite version and machine.
 */
export const sqlTemplate = async (): Promise<string> => {
  const manifest = readFileSync(require.resolve('@electric-sql/pglite'));
  const version = createHash('sha1').update(manifest).digest('hex').slice(0, 12);
  const template = join(tmpdir(), `ses-sql-template-${version}`);
  if (existsSync(template)) return template;
  const draft = `${template}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const sql = await startEmbeddedSql(join(draft, 'sql'));
  await sql.close();
  try {
    renameSync(join(draft, 'sql'), template);
  } catch (error) {
    // Another worker has created the template already.
    if (!existsSync(template)) throw error;
  }
  return template;
};
