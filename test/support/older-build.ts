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

/**
 * Prepares a build of an earlier version. `UPGRADE_FROM` names a checkout of one that has been built. Without
 * it, it is this build under an earlier version number, with which a clean checkout can do: then the
 * two versions differ in nothing else.
 */
export const prepareOlderBuild = (): Build => {
  const from = process.env['UPGRADE_FROM'];
  if (from !== undefined) return { directory: from, dispose: () => undefined };
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
