import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runCli } from '../support/cli';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const ROOT = join(__dirname, '../..');
/** A page of the list holds all of them. */
const SUBSCRIBERS = 100;
/** The moments of the kills in ms after the start of the command, some before and some after the copy. */
const KILLED_AFTER_MS = [200, 600];

jest.setTimeout(600_000);

describe('kill -9 during a backup', () => {
  let service: Service;
  let tenant: TestTenant;
  let place: string;

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'ses-backup-'));
    service = await Service.start();
    tenant = await service.tenant();
    (await tenant.api.post('/v1/test_helpers/seed', { subscribers: SUBSCRIBERS })).expect(202);
    await until('the subscribers', async () => (await countSubscribers(service)) === SUBSCRIBERS);
  });
  afterAll(async () => {
    await service?.dispose();
    rmSync(place, { recursive: true, force: true });
  });

  const countSubscribers = async (running: Service): Promise<number> => {
    const { status, body } = await running.as(tenant.key).get('/v1/subscribers?limit=100');
    return status === 200 ? (body['data'] as unknown[]).length : 0;
  };

  const startBackup = (dir: string) =>
    spawn(process.execPath, ['dist/cli/main.js', '--service', service.url, 'backup', dir], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], DATA_DIR: service.dataDir },
      stdio: 'ignore',
    });

  /** A backup that is there is restored and has everything; any other is refused. */
  const expectRefusedOrSound = async (dir: string): Promise<void> => {
    let refusal = '';
    const restored = await Service.startOn(async (dataDir) => {
      const { code, stderr } = await runCli(service, ['restore', dir, '--data-dir', dataDir]);
      if (code !== 0) refusal = stderr;
    });
    try {
      if (refusal === '') {
        await until('everything', async () => (await countSubscribers(restored)) === SUBSCRIBERS);
      } else expect(refusal).toContain('is not a complete backup');
    } finally {
      await restored.dispose();
    }
  };

  it.each(KILLED_AFTER_MS)('of the command after %i ms leaves none or a sound one', async (ms) => {
    const dir = join(place, `command-${ms}`);
    const command = startBackup(dir);
    const ended = once(command, 'exit');
    await delay(ms);
    command.kill('SIGKILL');
    await ended;
    await expectRefusedOrSound(dir);
  });

  it.each(KILLED_AFTER_MS)('of the service after %i ms leaves none or a sound one', async (ms) => {
    const dir = join(place, `service-${ms}`);
    const command = startBackup(dir);
    const ended = once(command, 'exit');
    await delay(ms);
    await service.kill();
    command.kill('SIGKILL');
    await ended;
    await expectRefusedOrSound(dir);
    await service.run();
    const again = await runCli(service, ['backup', `${dir}-again`]);
    expect(again).toMatchObject({ code: 0 });
    await expectRefusedOrSound(`${dir}-again`);
  });
});
