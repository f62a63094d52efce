import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * A benchmark. It prints its figures with ratios against a baseline of the same run, and never
 * fails a build.
 */
interface Benchmark {
  readonly run: (options: BenchOptions) => Promise<void>;
}

export interface BenchOptions {
  /** The amount of work, for benchmarks that have one: `--size 100000`. */
  readonly size?: number;
  /**
   * Another build to measure in the same run, for benchmarks that support it: `--against /path`.
   */
  readonly against?: string;
}

const NOT_BENCHMARKS = new Set(['main.ts']);

const names = readdirSync(__dirname)
  .filter((file) => file.endsWith('.ts') && !NOT_BENCHMARKS.has(file))
  .map((file) => file.slice(0, -'.ts'.length));

/**
 * Runs the benchmarks: `npm run bench`, `npm run bench -- delivery`, `npm run bench -- api --size
 * 1000000`.
 */
const main = async (): Promise<void> => {
  const { values, positionals: wanted } = parseArgs({
    allowPositionals: true,
    options: { size: { type: 'string' }, against: { type: 'string' } },
  });
  const options: BenchOptions = {
    ...(values.size === undefined ? {} : { size: Number(values.size) }),
    ...(values.against === undefined ? {} : { against: resolve(values.against) }),
  };
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    throw new Error(`no benchmark ${unknown.join(', ')}; there are ${names.join(', ')}`);
  }
  for (const name of wanted.length > 0 ? wanted : names) {
    console.log(`\n== ${name} ==`);
    const { run } = (await import(join(__dirname, name))) as Benchmark;
    await run(options);
  }
};

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
