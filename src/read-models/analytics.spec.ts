import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMigratedSql } from '../../test/support/sql';
import { ANALYTICS_VIEWS } from '../features/analytics/analytics.dto';

const DOCUMENT = readFileSync(join(__dirname, '../../docs/analytics.md'), 'utf8');
const IN_EVERY_VIEW = ['tenant_id', 'environment', 'scope'];

/** Returns `view column` for each row of the table in the document. */
const documented = (): string[] =>
  DOCUMENT.split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, view = '', , columns = ''] = line.split('|');
      const names = [...columns.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
      return [...IN_EVERY_VIEW, ...names].map((name) => `${view.trim().slice(1, -1)} ${name}`);
    })
    .sort();

it('the views for analysts have exactly the columns of their documentation', async () => {
  const { sql, close } = await openMigratedSql();
  try {
    const rows = await sql.query<{ at: string }>({
      text: `select table_name || ' ' || column_name as at from information_schema.columns
        where table_schema = 'analytics'`,
    });
    expect(rows.map(({ at }) => at).sort()).toEqual(documented());
    expect(new Set(documented().map((each) => each.split(' ')[0]))).toEqual(
      new Set(ANALYTICS_VIEWS),
    );
  } finally {
    await close();
  }
});
