import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const VERSIONS = '/usr/lib/postgresql';
export const ACCOUNT = 'postgres';
const SETPRIV = ['setpriv', `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--clear-groups'];
const isRoot = process.getuid?.() === 0;
/** The words before a command of PostgreSQL, because its server refuses to run as root. */
export const AS_ACCOUNT: readonly string[] = isRoot ? SETPRIV : [];

/** Returns the directory of PostgreSQL's newest programs, or null if there are none. */
export const findPrograms = (): string | null => {
  try {
    const newest = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))[0] ?? '';
    const programs = join(VERSIONS, newest, 'bin');
    return existsSync(join(programs, 'initdb')) ? programs : null;
  } catch {
    return null;
  }
};

/** Gives a directory to the account of PostgreSQL, and creates the files of a cluster in it. */
export const createCluster = (programs: string, dir: string, data: string): void => {
  if (isRoot) execFileSync('chown', ['-R', ACCOUNT, dir]);
  const initdb = [join(programs, 'initdb'), '-D', data, '-U', ACCOUNT, '-A', 'trust', '--no-sync'];
  const [program = '', ...args] = [...AS_ACCOUNT, ...initdb];
  execFileSync(program, args, { cwd: dir });
};
