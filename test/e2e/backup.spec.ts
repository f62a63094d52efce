import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/cli';
import { listEmptyLists, readEverything } from '../support/everything';
import { Receiver } from '../support/receiver';
import { Service, type TestTenant } from '../support/service';
import { makeHistory } from '../support/tenant-history';
import { until } from '../support/until';

describe('the commands "backup" and "restore"', () => {
  let service: Service;
  let tenant: TestTenant;
  let receiver: Receiver;
  let place: string;
  let backup: string;

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'ses-backup-'));
    backup = join(place, 'backup');
    receiver = await Receiver.start();
    service = await Service.start({ env: { RATE_LIMIT_METRICS: '1000' } });
    tenant = await service.tenant();
    await makeHistory(tenant, service, receiver);
  });
  afterAll(async () => {
    await service.dispose();
    await receiver.close();
    rmSync(place, { recursive: true, force: true });
  });

  it('restores the lists and metrics of a running service into an empty directory', async () => {
    const before = await readEverything(service, tenant);
    expect(listEmptyLists(before)).toEqual([]);
    const made = await runCli(service, ['--json', 'backup', backup]);
    expect(made).toMatchObject({ code: 0 });
    expect(JSON.parse(made.stdout)).toMatchObject({
      status: 'completed',
      files: ['eventstore/data.mdb', 'master-key', 'operator-token'],
    });
    expect(statSync(join(backup, 'master-key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(backup, 'eventstore'))).toEqual(['data.mdb']);

    // Data that is written after the backup must not be restored.
    (await tenant.api.post('/v1/subscribers', { email: 'late@example.com' })).expect(201);
    const into = await runCli(service, ['restore', backup, '--data-dir', service.dataDir]);
    expect(into).toMatchObject({ code: 1 });
    expect(into.stderr).toContain('is not empty');
    await service.kill();
    rmSync(service.dataDir, { recursive: true });
    const restored = await runCli(service, ['restore', backup, '--data-dir', service.dataDir]);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    await service.run();
    await until('the read models', async () => {
      const { status } = await tenant.api.get('/v1/subscribers');
      return status === 200;
    });

    const after = await readEverything(service, tenant);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    for (const [path, content] of Object.entries(before)) {
      expect({ path, content: after[path] }).toEqual({ path, content });
    }
    const verified = await runCli(service, ['projections', 'verify', '--whole']);
    expect(verified).toMatchObject({ code: 0 });
  });

  it('leaves out the master key if asked to', async () => {
    const { code, stdout } = await runCli(service, [
      'backup',
      join(place, 'no-key'),
      '--no-master-key',
    ]);
    expect(code).toBe(0);
    expect(readdirSync(join(place, 'no-key')).sort()).toEqual([
      'backup.json',
      'eventstore',
      'operator-token',
    ]);
    expect(stdout).toContain('Keep the master key somewhere else');
    const into = ['--data-dir', join(place, 'restored'), '--json'];
    const restored = await runCli(service, ['restore', join(place, 'no-key'), ...into]);
    expect(JSON.parse(restored.stdout)).toMatchObject({
      data_dir: join(place, 'restored'),
      files: ['eventstore/data.mdb', 'operator-token'],
    });
  });

  it('reports a directory that it cannot create, and the service continues to work', async () => {
    const { code, stderr } = await runCli(service, ['backup', '/proc/backup']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('cannot write to /proc/backup (ENOENT)') as string,
    });
    expect((await tenant.api.get('/v1/subscribers')).status).toBe(200);
  });

  it('refuses the data directory and what is in it, also through a link', async () => {
    const link = join(place, 'link');
    symlinkSync(join(service.dataDir, 'eventstore'), link);
    for (const directory of [service.dataDir, join(service.dataDir, 'backup'), join(link, 'new')]) {
      const { code, stderr } = await runCli(service, ['backup', directory]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('Name a directory outside of it') as string,
      });
      expect(stderr).toContain(service.dataDir);
    }
    expect(existsSync(join(service.dataDir, 'backup'))).toBe(false);
    expect(existsSync(join(link, 'new'))).toBe(false);
  });

  it.each([
    ['backup', ''],
    ['restore', '', '--data-dir', 'restored'],
    ['restore', 'backup', '--data-dir', ''],
  ])('does not take an empty name for the current directory (%s %j)', async (...args) => {
    const { code, stderr } = await runCli(service, args);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('A dot is the current directory') as string,
    });
  });

  it('refuses a directory that is not empty', async () => {
    const { code, stderr } = await runCli(service, ['backup', backup]);
    expect(code).toBe(2);
    expect(stderr).toContain('already contains a complete backup');
  });

  it('leaves a directory that the service refuses to start on if a restore was cut off', async () => {
    await service.stop();
    const mark = join(service.dataDir, 'restore-unfinished');
    writeFileSync(mark, '');
    await expect(service.run()).rejects.toThrow(/code 78[^]*restore that was cut off/);
    rmSync(mark);
  });
});
