import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const SCRIPTS = join(__dirname, '../scripts');
const PROJECT = { name: 'empty', version: '1.0.0' };
const LOCK_FILE = { ...PROJECT, lockfileVersion: 3, packages: { '': PROJECT } };

describe('the setup before each command', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'setup-'));
    cpSync(SCRIPTS, join(folder, 'scripts'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(PROJECT));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK_FILE));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const runSetup = async (...options: string[]): Promise<string> => {
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = spawn(process.execPath, ['scripts/setup.mjs', ...options], {
      cwd: folder,
      stdio: [...stdio],
    });
    const [said] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ code: child.exitCode, said }).toMatchObject({ code: 0 });
    return said;
  };

  it('installs the packages once if two terminals start it at the same time', async () => {
    const said = (await Promise.all([runSetup(), runSetup()])).join('');
    expect(said.match(/installing packages .*: done in/g)).toHaveLength(1);
    expect(existsSync(join(folder, '.setup-lock'))).toBe(false);
    expect(await runSetup()).toBe('');
  });

  it('says that it installs also before a command of the command line, where it is quiet', async () => {
    expect(await runSetup('--quiet')).toContain('[setup] installing packages');
    expect(await runSetup('--quiet')).toBe('');
  });

  it('goes on if an earlier one was killed', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(folder, '.setup-lock'), String(pid));
    expect(await runSetup()).toContain('done in');
    expect(existsSync(join(folder, '.setup-lock'))).toBe(false);
  });
});
