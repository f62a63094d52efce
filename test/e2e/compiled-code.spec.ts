import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { listNodeFlags } from '../support/service';

const ROOT = join(__dirname, '../..');
const SUFFIX = `.${process.version}-${process.arch}.compiled`;

/** Loads a bundle with its compiled code, and prints true if V8 refused that code. */
const LOAD = `
const { readFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { Script } = require('node:vm');
const [filename, compiled] = process.argv.slice(1);
const cachedData = readFileSync(compiled);
const script = new Script(wrap(readFileSync(filename, 'latin1')), { filename, cachedData });
console.log(script.cachedDataRejected);
`;

const listCompiled = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => join(folder, name));

const COMPILED = [
  ...listCompiled('dist'),
  ...listCompiled('packages/embedded-eventstore/dist'),
].sort();

describe('the compiled code that a build keeps', () => {
  it('exists for the service and for the threads of both embedded stores', () => {
    expect(COMPILED.map((path) => path.slice(0, -SUFFIX.length))).toEqual([
      'dist/embedded-sql/worker.bundle.js',
      'dist/main.bundle.js',
      'packages/embedded-eventstore/dist/worker.bundle.js',
    ]);
  });

  // A flag that is set while the service runs changes what V8 accepts at the next start.
  it.each(COMPILED)('is accepted by V8 with the flags of npm start: %s', (path) => {
    const compiled = join(ROOT, path);
    const args = [...listNodeFlags(), '-e', LOAD, compiled.slice(0, -SUFFIX.length), compiled];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()).toBe('false');
  });
});
