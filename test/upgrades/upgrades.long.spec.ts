import { readdirSync } from 'node:fs';
import { runCli } from '../support/cli';
import {
  expectKept,
  KEPT_VERSIONS,
  openKeptClock,
  openKeptTenant,
  restoreVersion,
} from '../support/kept-version';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

/** One directory for each version that was released, and two of versions before the first. */
describe.each(readdirSync(KEPT_VERSIONS))('the data of version %s', (version) => {
  const clock = openKeptClock(version);
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await Service.startOn((dataDir) => restoreVersion(version, dataDir), {
      ...clock.options,
      env: { ...clock.options.env, RATE_LIMIT_METRICS: '1000' },
    });
    tenant = openKeptTenant(service, version);
    await until('the read models', async () => {
      const { status } = await tenant.api.get('/v1/subscribers');
      return status === 200;
    });
  });
  afterAll(async () => {
    await service?.dispose();
    clock.dispose();
  });

  it('has lost nothing after the newest version has started on it', async () => {
    await expectKept(service, version);
  });

  it('is projected without a difference', async () => {
    const { code, stderr } = await runCli(service, ['projections', 'verify', '--whole']);
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });

  it('takes new subscribers', async () => {
    (await tenant.api.post('/v1/subscribers', { email: 'new@example.com' })).expect(201);
  });
});
