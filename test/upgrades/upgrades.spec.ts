import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { restoreBackup } from '../../src/config/backup-files';
import { runCli } from '../support/cli';
import { readEverything } from '../support/everything';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const DATA = join(__dirname, 'versions');

/** What `make-data.ts` wrote beside the backup of a version. */
interface Expected {
  readonly tenant: { readonly id: string; readonly key: string };
  readonly everything: Readonly<Record<string, unknown>>;
}

/** Series go on with each month; the one in which the data was made had not ended. */
const withoutCurrentMonth = (before: unknown, after: unknown): [unknown, unknown] => {
  const months = before as unknown[];
  return [months.slice(0, -1), (after as unknown[]).slice(0, months.length - 1)];
};

/** One directory for each version that was released. */
describe.each(readdirSync(DATA))('the data of version %s', (version) => {
  let service: Service;
  let tenant: TestTenant;
  let expected: Expected;

  beforeAll(async () => {
    const backup = mkdtempSync(join(tmpdir(), 'ses-upgrade-'));
    cpSync(join(DATA, version), backup, { recursive: true });
    const packed = readFileSync(join(backup, 'data.mdb.gz'));
    mkdirSync(join(backup, 'eventstore'));
    writeFileSync(join(backup, 'eventstore/data.mdb'), gunzipSync(packed));
    const restore = (dataDir: string) => restoreBackup(backup, dataDir);
    service = await Service.startOn(restore, { RATE_LIMIT_METRICS: '1000' });
    rmSync(backup, { recursive: true });
    const told = gunzipSync(readFileSync(join(DATA, version, 'expected.json.gz')));
    expected = JSON.parse(told.toString()) as Expected;
    const { id, key } = expected.tenant;
    tenant = { id, key, api: service.as(key) };
    await until('the read models', async () => {
      const { status } = await tenant.api.get('/v1/subscribers');
      return status === 200;
    });
  });
  afterAll(() => service.dispose());

  it('has lost nothing after the newest version has started on it', async () => {
    const found = await readEverything(service, tenant);
    for (const [path, content] of Object.entries(expected.everything)) {
      const [before, after] = path.startsWith('/v1/metrics/')
        ? withoutCurrentMonth(content, found[path])
        : [content, found[path]];
      expect({ path, content: after }).toMatchObject({ path, content: before });
    }
  });

  it('is projected without a difference', async () => {
    const { code, stderr } = await runCli(service, ['projections', 'verify', '--whole']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });

  it('takes new subscribers', async () => {
    (await tenant.api.post('/v1/subscribers', { email: 'new@example.com' })).expect(201);
  });
});
