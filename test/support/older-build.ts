import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

export interface Build {
  /** The directory from which the program is started. */
  readonly directory: string;
  dispose(): void;
}

const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** The version of this source tree. */
export const CURRENT_VERSION = own.version;

/** The directory of an earlier version that has been built; undefined if there is none. */
const builtBefore = process.env['UPGRADE_FROM'];

/** Says in a test title which code the older processes run. */
export const OLDER_CODE =
  builtBefore === undefined
    ? 'this code under an earlier version number'
    : `the code in ${builtBefore}`;

/**
 * Prepares a build of an earlier version, that of `UPGRADE_FROM`. Without it, it is this build under
 * an earlier version number: a clean checkout has neither the code nor the packages of another one.
 * Then the upgrade shows that processes hand over their work, and not that two versions understand
 * each other's events and rows.
 */
export const prepareOlderBuild = (): Build => {
  if (builtBefore !== undefined) return { directory: builtBefore, dispose: () => undefined };
  const directory = mkdtempSync(join(tmpdir(), 'build-'));
  cpSync(join(ROOT, 'dist'), join(directory, 'dist'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const earlier = { ...own, version: '0.9.9' };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(earlier));
  return {
    directory,
    dispose: () => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
