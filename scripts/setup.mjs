// The first step of `npm start`, `npm test` and `npm run demo`: installs the packages of the lock
// file, then builds. It uses Node alone, so it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { packagesToBuild } from './packages.mjs';

const root = new URL('..', import.meta.url).pathname;
const PACKAGE_OPTION = '--build-package=';
/** The name of the only package to build, for `npm pack`. */
const onlyPackage = process.argv
  .find((each) => each.startsWith(PACKAGE_OPTION))
  ?.slice(PACKAGE_OPTION.length);
const build = onlyPackage !== undefined || process.argv.includes('--build');
/**
 * True if the output of the steps is left out. The setup still names each step, because it takes a
 * while.
 */
const quiet = process.argv.includes('--quiet');

/** Writes to the standard error stream, so that it never spoils the output of a command. */
const say = (line) => console.error(`[setup] ${line}`);

const digest = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
};

const OUTPUT = ['node_modules', 'dist'];

const filesBelow = (dir) =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    // `npm pack` leaves its file beside the sources.
    if (OUTPUT.includes(name) || name.endsWith('.tgz')) return [];
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });

const LOCK = join(root, '.setup-lock');
/** Held while the lock of a process that was killed is removed. */
const REMOVAL_LOCK = `${LOCK}-removal`;
const LOCK_POLL_MS = 200;

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Returns an empty text if the lock was released, or is being written. */
const readOwner = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Creates the lock file, or returns the process that has created it. */
const tryToLock = (file) => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return null;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return readOwner(file);
  }
};

const isStale = (owner) => owner !== '' && !isRunning(Number(owner));

/**
 * Removes the lock if its process was killed. Only one setup at a time may do this, and it reads
 * the owner again: another one may have removed the old lock meanwhile and hold the lock now.
 */
const removeStaleLock = () => {
  if (tryToLock(REMOVAL_LOCK) !== null) return;
  try {
    if (isStale(readOwner(LOCK))) rmSync(LOCK, { force: true });
  } finally {
    rmSync(REMOVAL_LOCK, { force: true });
  }
};

/**
 * Waits until no other setup runs in this folder, for example that of another terminal. Two at once
 * would delete each other's packages. The lock of a process that was killed is removed.
 */
const acquireLock = () => {
  let tries = 0;
  for (let owner = tryToLock(LOCK); owner !== null; owner = tryToLock(LOCK)) {
    tries += 1;
    if (isStale(owner)) removeStaleLock();
    if (tries === 2)
      say(`waiting for another setup, process ${owner}; if there is none, delete ${LOCK}* …`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
  process.once('exit', () => rmSync(LOCK, { force: true }));
};
let isLocked = false;

/** Runs a step unless its stamp shows that the same inputs were already processed. */
const once = ({ stamp, inputs, title, command, args, cwd = root }) => {
  const wanted = digest(inputs);
  const isDone = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isDone()) return;
  if (!isLocked) acquireLock();
  isLocked = true;
  if (isDone()) return;
  say(`${title} …`);
  const startedAt = Date.now();
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: quiet ? ['ignore', 'ignore', 'inherit'] : ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`[setup] "${command} ${args.join(' ')}" failed; its output above says why.`);
    process.exit(status ?? 1);
  }
  mkdirSync(join(stamp, '..'), { recursive: true });
  writeFileSync(stamp, wanted);
  say(`${title}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`[setup] Node 20.19 or later is needed; this is ${process.version}.`);
  process.exit(1);
}

once({
  stamp: join(root, 'node_modules/.setup-installed'),
  inputs: [join(root, 'package.json'), join(root, 'package-lock.json')],
  title: 'installing packages (once, about a minute)',
  command: 'npm',
  args: ['ci', '--no-audit', '--no-fund', '--loglevel=error'],
});

if (build) {
  const compiler = [join(root, 'tsconfig.json'), join(root, 'package-lock.json')];
  const sources = [];
  for (const { dir, manifest } of packagesToBuild()) {
    // A package is built again when a package that it may depend on has changed.
    sources.push(...filesBelow(dir));
    if (onlyPackage !== undefined && manifest.name !== onlyPackage) continue;
    once({
      stamp: join(dir, 'dist/.setup-built'),
      inputs: [...sources, ...compiler],
      title: `building ${manifest.name}`,
      command: 'npm',
      args: ['run', '--silent', 'build'],
      cwd: dir,
    });
  }
  if (onlyPackage !== undefined) process.exit();
  once({
    stamp: join(root, 'dist/.setup-built'),
    // The worker of the embedded event store is bundled too.
    inputs: [
      ...sources,
      ...filesBelow(join(root, 'src')),
      join(root, 'scripts/bundle.mjs'),
      join(root, '.swcrc'),
      join(root, 'nest-cli.json'),
      ...compiler,
    ],
    title: 'building',
    command: 'npm',
    args: ['run', '--silent', 'build:service'],
  });
}
