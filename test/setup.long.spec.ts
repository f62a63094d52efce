import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from './support/until';

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

  const runSetup = (...options: string[]): Promise<string> => runNode('scripts/setup.mjs', options);

  const runNode = async (script: string, options: readonly string[] = []): Promise<string> => {
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = spawn(process.execPath, [script, ...options], { cwd: folder, stdio: [...stdio] });
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

  /** Leaves the lock of a process that does not run any more. */
  const leaveStaleLock = (): void => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(join(folder, '.setup-lock'), String(pid));
  };

  it('installs once if two terminals find the lock of a setup that was killed', async () => {
    leaveStaleLock();
    // After its first look at the lock, this one is stopped until the other one has the lock.
    writeFileSync(
      join(folder, 'slow.mjs'),
      `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { readFileSync } = fs;
      fs.readFileSync = (file, ...rest) => {
        const found = readFileSync(file, ...rest);
        if (!String(file).endsWith('.setup-lock')) return found;
        fs.readFileSync = readFileSync;
        syncBuiltinESMExports();
        fs.writeFileSync('looked', '');
        const isOther = () => fs.existsSync('.setup-lock') && !['', found].includes(readFileSync('.setup-lock', 'utf8'));
        for (const end = Date.now() + 20_000; Date.now() < end && !isOther(); );
        return found;
      };
      syncBuiltinESMExports();
      await import('./scripts/setup.mjs');`,
    );
    const slow = runNode('slow.mjs');
    await until('the slow one looks', () => existsSync(join(folder, 'looked')) || undefined);
    const said = (await Promise.all([slow, runSetup()])).join('');
    expect(said.match(/installing packages .*: done in/g)).toHaveLength(1);
  });

  /** Writes a project with one package, whose builds count themselves. */
  const writePackage = (): void => {
    const count =
      "node -e \"fs.mkdirSync('dist',{recursive:true});fs.appendFileSync('dist/x','x')\"";
    const scripts = { 'build:service': count };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...PROJECT, scripts }));
    for (const file of ['tsconfig.json', '.swcrc', 'nest-cli.json'])
      writeFileSync(join(folder, file), '{}');
    for (const dir of ['src', 'packages/sdk']) mkdirSync(join(folder, dir), { recursive: true });
    const manifest = { name: '@own/sdk', version: '1.0.0', scripts: { build: count } };
    writeFileSync(join(folder, 'packages/sdk/package.json'), JSON.stringify(manifest));
  };

  it('builds nothing again after a package was packed', async () => {
    writePackage();
    expect(await runSetup('--build')).toContain('building @own/sdk: done');
    expect(await runSetup('--build-package=@own/sdk')).toBe('');
    writeFileSync(join(folder, 'packages/sdk/own-sdk-1.0.0.tgz'), 'packed');
    expect(await runSetup('--build')).toBe('');
  });

  it('builds only the package that is packed', async () => {
    writePackage();
    await runSetup();
    const said = await runSetup('--build-package=@own/sdk');
    expect(said.match(/^\[setup\] building.*done/gm)).toEqual([
      expect.stringContaining('building @own/sdk: done'),
    ]);
  });

  it('goes on if an earlier one was killed', async () => {
    leaveStaleLock();
    expect(await runSetup()).toContain('done in');
    expect(existsSync(join(folder, '.setup-lock'))).toBe(false);
  });
});
