import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

export interface Build {
  /** The directory from which the program is started. */
  readonly directory: string;
  readonly version: string;
  dispose(): void;
}

const versionIn = (directory: string): string =>
  (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string })
    .version;

/** The version of this source tree. */
export const CURRENT_VERSION = versionIn(ROOT);

/**
 * A build of an earlier version. `UPGRADE_FROM` names a checkout of one that has been built. Without
 * it, it is this build under an earlier version number, with which a clean checkout can do: then the
 * two versions differ in nothing else.
 */
export const olderBuild = (): Build => {
  const from = process.env['UPGRADE_FROM'];
  if (from !== undefined) {
    return { directory: from, version: versionIn(from), dispose: () => undefined };
  }
  const directory = mkdtempSync(join(tmpdir(), 'build-'));
  const version = '0.9.9';
  cpSync(join(ROOT, 'dist'), join(directory, 'dist'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as object;
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...own, version }));
  return {
    directory,
    version,
    dispose: () => {
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
