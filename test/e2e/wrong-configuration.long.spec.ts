import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { prepareSqlTemplate } from '../support/sql-template';
import { removeWrongValues, WRONG_VALUES } from '../support/wrong-values';
import { listNodeFlags } from '../support/service';

const PROGRAM = join(__dirname, '../../dist/main.js');
const BOTH_TERMINALS = join(__dirname, '../support/both-terminals.cjs');
/** Variables that are left out because a wrong value of them, or of another one, would hide the other. */
const LEFT_OUT = [
  'DATA_DIR',
  'MASTER_KEY_FILE',
  'OPERATOR_TOKEN_FILE',
  'DATABASE_URL_FILE',
  'ROLES',
  'TLS_KEY',
];
/** Variables that must be set in addition to the wrong ones. */
const ADDITIONAL = { OIDC_CLIENT_ID: 'service', TLS_KEY: '/nowhere' };

interface Ended {
  readonly code: number | null;
  readonly said: string;
  readonly logged: string;
}

describe('a service with wrong configuration', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'ses-'));
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });
  afterAll(removeWrongValues);

  const start = async (env: Readonly<Record<string, string>>): Promise<Ended> => {
    const child = spawn(process.execPath, [...listNodeFlags(), PROGRAM], {
      env: { PATH: process.env['PATH'], PORT: '0', PROCESSES: '1', DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, logged] = await Promise.all([
      text(child.stderr),
      text(child.stdout),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, said, logged };
  };

  it('ends with code 78 and one line for each wrong variable, before it writes anything', async () => {
    const wrong = Object.entries(WRONG_VALUES).filter(([name]) => !LEFT_OUT.includes(name));
    const env = Object.fromEntries(wrong.map(([name, [first]]) => [name, first?.value ?? '']));
    const { code, said, logged } = await start({ ...ADDITIONAL, ...env });
    const [title, ...lines] = said.trimEnd().split('\n');
    expect(code).toBe(78);
    expect(title).toBe('Wrong configuration:');
    const named = lines.map((line) => /^ {2}- ([A-Z_]+) /.exec(line)?.[1]);
    expect(named.sort()).toEqual(wrong.map(([name]) => name).sort());
    expect(logged).toBe('');
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('names DATA_DIR if that alone is wrong', async () => {
    const { code, said } = await start({ DATA_DIR: __filename });
    expect(code).toBe(78);
    expect(said).toMatch(/^Wrong configuration:\n {2}- DATA_DIR must be a directory/);
  });

  it('names HOST if this machine does not have the address', async () => {
    cpSync(await prepareSqlTemplate(), join(dataDir, 'sql'), { recursive: true });
    const { code, said } = await start({ HOST: '192.0.2.1' });
    expect(code).toBe(78);
    expect(said).toMatch(/^Wrong configuration:\n {2}- HOST is 192\.0\.2\.1, which is no address/);
  });

  it('tells why it could not start once to a terminal, and also as JSON to other programs', async () => {
    cpSync(await prepareSqlTemplate(), join(dataDir, 'sql'), { recursive: true });
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const env = { PORT: String((server.address() as AddressInfo).port) };
    const piped = await start(env);
    const inTerminal = await start({ ...env, NODE_OPTIONS: `--require ${BOTH_TERMINALS}` });
    server.close();
    for (const { code, said } of [piped, inTerminal])
      expect([code, said]).toEqual([1, expect.stringMatching(/Could not start: .* is in use/)]);
    expect(piped.logged).toContain('"level":"fatal"');
    expect(inTerminal.logged).not.toContain('"level":"fatal"');
  });

  it.each(['require', 'verify-full'])(
    'names DATABASE_URL and warns of nothing else if sslmode=%s and the server speaks no TLS',
    async (mode) => {
      // PostgreSQL without TLS answers a request for TLS with this letter.
      const server = createServer((socket) => socket.on('data', () => socket.write('N')));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const url = `postgres://ada:swordfish@127.0.0.1:${port}/events?sslmode=${mode}`;
      const { code, said, logged } = await start({ DATABASE_URL: url });
      server.close();
      expect(code).toBe(78);
      expect(said).toMatch(/^Wrong configuration:\n {2}- DATABASE_URL asks for TLS and its server/);
      expect(said).not.toContain('WARNING');
      expect(`${said}${logged}`).not.toContain('swordfish');
    },
  );
});
