import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runCli } from '../support/cli';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const ROOT = join(__dirname, '../..');
/** The number of subscribers, as many as one page of a list may have. */
const SUBSCRIBERS = 100;
/**
 * The moments of the kills in ms after the start of the command, some before and some after the
 * copy.
 */
const KILLED_AFTER_MS = [200, 600];

/** The number of attempts to kill the process in the middle of its work. */
const TRIES = 10;
const EXIT_UNREACHABLE = 3;

/**
 * Resolves as soon as a file exists. It looks more often than `until`, for the file may not stay.
 */
const seeFile = async (file: string): Promise<void> => {
  while (!existsSync(file)) await delay(1);
};

/** Repeats an attempt until it has a result. */
const retry = async <T>(what: string, run: (attempt: number) => Promise<T | null>): Promise<T> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const result = await run(attempt);
    if (result !== null) return result;
  }
  throw new Error(`${what} did not succeed`);
};

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
    const { status, body } = await running.createApi(tenant.key).get('/v1/subscribers?limit=100');
    return status === 200 ? (body['data'] as unknown[]).length : 0;
  };

  const startCommand = (args: readonly string[]) =>
    spawn(process.execPath, ['dist/cli/main.js', '--service', service.url, ...args], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], DATA_DIR: service.dataDir },
      stdio: 'ignore',
    });

  const startBackup = (dir: string) => startCommand(['backup', dir]);

  const expectSound = async (dir: string): Promise<void> => {
    await expectRefusedOrSound(dir);
    expect(existsSync(join(dir, 'backup.json'))).toBe(true);
  };

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

  it.each(KILLED_AFTER_MS)(
    'of the command after %i ms leaves no backup or a complete one',
    async (ms) => {
      const dir = join(place, `command-${ms}`);
      const command = startBackup(dir);
      const ended = once(command, 'exit');
      await delay(ms);
      command.kill('SIGKILL');
      await ended;
      await expectRefusedOrSound(dir);
    },
  );

  it.each(KILLED_AFTER_MS)(
    'of the service after %i ms leaves no backup or a complete one',
    async (ms) => {
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
    },
  );

  it('of the service in the middle of the copy leaves no backup, and a repeat says what to do', async () => {
    const dir = await retry('a kill in the middle of the copy', async (attempt) => {
      const tried = join(place, `middle-${attempt}`);
      const command = startBackup(tried);
      const ended = once(command, 'exit');
      await seeFile(join(tried, 'eventstore', 'data.mdb'));
      await service.kill();
      await ended;
      expect(command.exitCode).toBe(EXIT_UNREACHABLE);
      await service.run();
      return existsSync(join(tried, 'backup.json')) ? null : tried;
    });
    const refused = await runCli(service, ['restore', dir, '--data-dir', join(place, 'none')]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('is not a complete backup: it was cut off');
    expect(existsSync(join(place, 'none'))).toBe(false);
    const repeat = await runCli(service, ['backup', dir]);
    expect(repeat).toMatchObject({ code: 2 });
    expect(repeat.stderr).toContain('holds a backup that was cut off. Delete what is in it');
    rmSync(dir, { recursive: true });
    expect(await runCli(service, ['backup', dir])).toMatchObject({ code: 0 });
    await expectSound(dir);
  });

  it('of a restore leaves a directory that is refused until it is emptied', async () => {
    const dir = join(place, 'to-restore');
    expect(await runCli(service, ['backup', dir])).toMatchObject({ code: 0 });
    const dataDir = await retry('a kill in the middle of the restore', async (attempt) => {
      const tried = join(place, `half-${attempt}`);
      const command = startCommand(['restore', dir, '--data-dir', tried]);
      const ended = once(command, 'exit');
      await seeFile(join(tried, 'restore-unfinished'));
      command.kill('SIGKILL');
      await ended;
      return existsSync(join(tried, 'restore-unfinished')) ? tried : null;
    });
    await expect(
      Service.startOn((started) => {
        cpSync(dataDir, started, { recursive: true });
        return Promise.resolve();
      }),
    ).rejects.toThrow(/code 78[^]*restore that was cut off: delete what is in it/);
    const repeat = await runCli(service, ['restore', dir, '--data-dir', dataDir]);
    expect(repeat).toMatchObject({ code: 1 });
    expect(repeat.stderr).toContain('restore that was cut off. Delete what is in it');
    rmSync(dataDir, { recursive: true });
    await expectSound(dir);
  });
});
