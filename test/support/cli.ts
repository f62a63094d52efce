import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { RunningService } from './service';

const ROOT = join(__dirname, '../..');

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the built command line against a service on the same machine, with access to its data
 * directory.
 */
export const runCli = async (
  service: Pick<RunningService, 'url' | 'dataDir'>,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> => {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['dist/cli/main.js', '--service', service.url, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, DATA_DIR: service.dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode, stdout, stderr };
};
