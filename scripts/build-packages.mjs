// Builds the packages of this repository, each after those that it depends on.
import { spawnSync } from 'node:child_process';
import { packagesToBuild } from './packages.mjs';

for (const { dir } of packagesToBuild()) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: dir,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
