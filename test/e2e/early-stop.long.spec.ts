import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listNodeFlags } from '../support/service';
import { until } from '../support/until';

const PROGRAM = join(__dirname, '../../dist/main.js');
/** A start whose database is silent goes on for longer than this time in ms. */
const AT_ONCE_MS = 10_000;

/** The moments of a first start, by the last file that it has made. */
const MOMENTS = ['master-key', 'eventstore', 'sql', 'operator-token'];

describe('a service that is told to stop while it starts', () => {
  let root: string;
  let dataDir: string;
  let child: ChildProcess;
  let said: string;
  let logged: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ses-'));
    dataDir = join(root, 'data');
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });

  const start = (env: Readonly<Record<string, string>> = {}): void => {
    const { PATH } = process.env;
    child = spawn(process.execPath, [...listNodeFlags(), PROGRAM], {
      env: { PATH, PORT: '0', PROCESSES: '1', DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    [said, logged] = ['', ''];
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdout?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  };

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    return child.exitCode;
  };

  const stopAt = async (file: string, signal?: NodeJS.Signals): Promise<void> => {
    start();
    await until(`the start to make ${file}`, () => existsSync(join(dataDir, file)));
    expect(await stop(signal)).toBe(0);
    expect(said).not.toContain('ready in');
    expect(said).toContain('Stopped. Everything accepted is stored');
  };

  it.each(MOMENTS)(
    'leaves a directory that the next start can use, once there is %s',
    async (file) => {
      await stopAt(file);
      start();
      await until('it to be ready', () => said.includes('ready in'));
      expect(await stop()).toBe(0);
      expect(`${said}${logged}`).not.toMatch(/damaged|"level":"(?:error|fatal)"/);
    },
  );

  it('ends in the same way at SIGINT', async () => {
    await stopAt('eventstore', 'SIGINT');
  });

  it('does not wait for a database that answers nothing', async () => {
    const server = createServer();
    const connected = once(server, 'connection');
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    start({ DATABASE_URL: `postgres://ada@127.0.0.1:${port}/events` });
    await connected;
    const stoppedAt = performance.now();
    expect(await stop()).toBe(0);
    expect(performance.now() - stoppedAt).toBeLessThan(AT_ONCE_MS);
    server.close();
  });

  it('removes the temporary directory of its sockets', async () => {
    const temporary = join(root, 'tmp');
    mkdirSync(temporary);
    dataDir = join(root, 'x'.repeat(120));
    start({ TMPDIR: temporary });
    await until('the sockets', () => readdirSync(temporary).length > 0);
    expect(await stop()).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
