import { readdirSync } from 'node:fs';
import { runCli } from '../support/cli';
import { readEverything, SHORT_LIVED } from '../support/everything';
import { type Expected, expectedOf, KEPT_VERSIONS, restoreVersion } from '../support/kept-version';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

/** Series go on with each month; the one in which the data was made had not ended. */
const withoutCurrentMonth = (before: unknown, after: unknown): [unknown, unknown] => {
  const months = before as unknown[];
  return [months.slice(0, -1), (after as unknown[]).slice(0, months.length - 1)];
};

/** The delivery log is kept for 30 days (D-114), and kept data gets older. */
const DELIVERY_LOG = '/deliveries';

/** One directory for each version that was released, and one of a version before the first. */
describe.each(readdirSync(KEPT_VERSIONS))('the data of version %s', (version) => {
  let service: Service;
  let tenant: TestTenant;
  let expected: Expected;

  beforeAll(async () => {
    service = await Service.startOn((dataDir) => restoreVersion(version, dataDir), {
      RATE_LIMIT_METRICS: '1000',
    });
    expected = expectedOf(version);
    const { id, key } = expected.tenant;
    tenant = { id, key, api: service.as(key) };
    await until('the read models', async () => {
      const { status } = await tenant.api.get('/v1/subscribers');
      return status === 200;
    });
  });
  afterAll(() => service?.dispose());

  const expectEverything = async (): Promise<void> => {
    const found = await readEverything(service, tenant);
    for (const [path, content] of Object.entries(expected.everything)) {
      if (SHORT_LIVED.has(path) || path.endsWith(DELIVERY_LOG)) continue;
      const [before, after] = path.startsWith('/v1/metrics/')
        ? withoutCurrentMonth(content, found[path])
        : [content, found[path]];
      expect({ path, content: after }).toMatchObject({ path, content: before });
    }
  };

  it('has lost nothing after the newest version has started on it', expectEverything);

  it('is projected without a difference', async () => {
    const { code, stderr } = await runCli(service, ['projections', 'verify', '--whole']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });

  it('takes new subscribers', async () => {
    (await tenant.api.post('/v1/subscribers', { email: 'new@example.com' })).expect(201);
  });
});
