import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until';

const PROGRAM = join(__dirname, '../../dist/main.js');

it.each(['SIGTERM', 'SIGINT'] as const)(
  '%s during the start stops the service cleanly',
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
    expect(said).toContain('Stopped. Everything accepted is stored');
    rmSync(dataDir, { recursive: true });
  },
);
