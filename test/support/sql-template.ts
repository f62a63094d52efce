import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedSql } from '../../src/embedded-sql/start';
import { openKeptDirectory } from './kept-files';

/**
 * Returns an empty embedded database to copy, because creating one takes seconds and copying does
 * not. It is created once per PGlite version.
 */
export const prepareSqlTemplate = async (): Promise<string> => {
  const manifest = readFileSync(require.resolve('@electric-sql/pglite'));
  const version = createHash('sha1').update(manifest).digest('hex').slice(0, 12);
  const template = join(openKeptDirectory('sql-templates'), version);
  if (!existsSync(template)) await makeTemplate(template);
  return template;
};

/** Several workers may make the template at the same time. The first one to finish keeps its own. */
const makeTemplate = async (template: string): Promise<void> => {
  const made = mkdtempSync(join(tmpdir(), 'sql-template-'));
  const draft = `${template}.${process.pid}`;
  try {
    const sql = await startEmbeddedSql(join(made, 'sql'));
    await sql.close();
    cpSync(join(made, 'sql'), draft, { recursive: true });
    renameSync(draft, template);
  } catch (error) {
    if (!existsSync(template)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(made, { recursive: true });
  }
};
