import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../support/free-port';
import { prepareSqlTemplate } from '../support/sql-template';
import { listNodeFlags } from '../support/service';
import { until } from '../support/until';

const PROGRAM = join(__dirname, '../../dist/main.js');

describe('a start that cannot proceed', () => {
  let directory: string;
  let child: ChildProcess;
  let said: string;
  let logged: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'ses-'));
  });

  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  });

  const start = (env: Readonly<Record<string, string>>): void => {
    child = spawn(process.execPath, [...listNodeFlags(), PROGRAM], {
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: directory, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    [said, logged] = ['', ''];
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  };

  it('names the event store it waits for and what to check, without the password', async () => {
    const port = await findFreePort();
    cpSync(await prepareSqlTemplate(), join(directory, 'sql'), { recursive: true });
    start({
      EVENTSTORE_URL: 'esdb://admin:swordfish@127.0.0.1:1?tls=false',
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      PORT: String(port),
    });
    // Probes ask while it waits. Their 503 is an answer and not a failed request.
    await until('a probe to get 503', async () => {
      const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
      return ready?.status === 503;
    });
    await until('it to say so', () => said.includes('Waiting for'));
    const waits = /the event store at 127\.0\.0\.1:1 \(EVENTSTORE_URL\)/;
    expect(said).toMatch(waits);
    const warnings = logged.split('\n').filter((line) => line.includes('"warn"'));
    expect(warnings).toEqual([expect.stringMatching(waits)]);
    expect(logged).not.toContain('"message":"request"');
    expect(`${said}${logged}`).not.toContain('swordfish');
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it.each(['/proc/nope', '/proc/nope/data', '/dev/null/data', '/dev/null'])(
    'fails if the data directory cannot be created or is not a directory: %s',
    async (path) => {
      start({ DATA_DIR: path });
      expect(await once(child, 'close')).toEqual([78, null]);
      expect(said).toMatch(/^Wrong configuration:\n {2}- DATA_DIR /);
    },
  );

  it('creates the parent directories of the data directory', async () => {
    const path = join(directory, 'deep', 'down');
    start({ DATA_DIR: path });
    await until('the stores', () => existsSync(join(path, 'sql')));
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });
});
