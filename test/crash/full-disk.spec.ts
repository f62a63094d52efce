import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallDisk } from '../support/small-disk';

const PACKAGE = join(__dirname, '../../packages/embedded-eventstore');

/** It is left out where a process cannot have a disk of its own. */
const describeWithDisk = smallDisk === null ? describe.skip : describe;

describeWithDisk('a store whose disk is full to the last byte', () => {
  it('refuses appends, loses nothing, and accepts appends again when there is room', () => {
    const dir = mkdtempSync(join(tmpdir(), 'full-disk-'));
    const [program = '', ...wrapper] = smallDisk ?? [];
    const script = join(PACKAGE, 'test/crash/full-disk.ts');
    const args = [...wrapper, process.execPath, '-r', '@swc-node/register', script];
    const env = { ...process.env, DATA_DIR: dir };
    const output = execFileSync(program, args, { env, encoding: 'utf8' });
    rmSync(dir, { recursive: true });
    const { errors, ...results } = JSON.parse(output) as { errors: readonly string[] };
    expect(results).toEqual({ allDone: true, problems: [], lost: 0 });
    expect(errors.length).toBeGreaterThan(0);
    for (const message of errors) expect(message).toMatch(/The disk of .* is full: ENOSPC/);
  }, 60_000);
});
