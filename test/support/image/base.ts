import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The programs of the image that the steps of the Dockerfile and npm use. */
const PROGRAMS = [
  'sh',
  'cat',
  'chmod',
  'chown',
  'cp',
  'env',
  'ln',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'uname',
];

/** Libraries of glibc that native modules may ask for, although no program above does. */
const LIBRARIES = ['librt.so.1', 'libdl.so.2', 'libpthread.so.0', 'libm.so.6', 'libresolv.so.2'];

const NODE_ACCOUNT = { uid: 1000, gid: 1000 };

const FILES = {
  'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  'etc/group': 'root:x:0:\nnode:x:1000:\n',
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/**
 * Finds the program of a Node version: that which runs, or the one that npm's package `node` brings.
 * Null if it cannot be had.
 */
export const findNode = (major: string): string | null => {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const { status, stdout } = spawnSync(
    'npx',
    [
      '--yes',
      '--prefer-offline',
      `--package=node@${major}`,
      '--',
      'node',
      '-p',
      'process.execPath',
    ],
    { encoding: 'utf8', timeout: 120_000 },
  );
  return status === 0 ? stdout.trim() : null;
};

/**
 * Makes a root directory in place of the official image of Node on Debian, which cannot be had without
 * a container engine: Node, npm, some programs of this machine with the libraries that they need, and the
 * account `node`. It has no compiler and no git, as the slim image.
 */
export const makeBase = (root: string, node: string): void => {
  for (const dir of [
    'dev',
    'proc',
    'tmp',
    'etc',
    'root',
    'bin',
    'usr/local/bin',
    'usr/bin',
    'home/node',
  ]) {
    mkdirSync(join(root, dir), { recursive: true });
  }
  chmodSync(join(root, 'tmp'), 0o1777);
  chownSync(join(root, 'home/node'), NODE_ACCOUNT.uid, NODE_ACCOUNT.gid);
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text);
  for (const name of ['resolv.conf', 'hosts']) copyFile(`/etc/${name}`, join(root, 'etc', name));
  for (const name of PROGRAMS)
    copyProgram(root, run('sh', ['-c', `command -v ${name}`]), `bin/${name}`);
  symlinkSync('/bin/env', join(root, 'usr/bin/env'));
  copyProgram(root, node, 'usr/local/bin/node');
  const [, libraries = ''] = /(\/\S+)\/libc\.so\.6 /.exec(run('ldd', [node])) ?? [];
  for (const name of LIBRARIES) copyFile(join(libraries, name), join(root, libraries, name));
  cpSync(
    join(run('npm', ['root', '--global']), 'npm'),
    join(root, 'usr/local/lib/node_modules/npm'),
    {
      recursive: true,
    },
  );
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
};

/** Copies a program, and its libraries to where they lie on this machine. */
const copyProgram = (root: string, from: string, to: string): void => {
  copyFile(from, join(root, to));
  for (const [, library = ''] of run('ldd', [from]).matchAll(/(\/\S+) \(0x/g)) {
    if (!existsSync(join(root, library))) copyFile(library, join(root, library));
  }
};

const copyFile = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true });
};

const run = (program: string, args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
};
