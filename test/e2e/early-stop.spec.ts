import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../support/service';
import { until } from '../support/until';

const PROGRAM = join(__dirname, '../../dist/main.js');

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s during the start gives the start up, and the next one works',
  async (signal) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'ses-'));
    const child = spawn(process.execPath, [PROGRAM], {
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the start to begin', () => existsSync(join(dataDir, 'eventstore')));
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).not.toContain('ready in');
    expect(said).toContain(`${signal}: the start is given up.`);
    const service = await Service.startOn((dir) => rename(dataDir, dir));
    await service.dispose();
  },
);
