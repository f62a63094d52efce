import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { FAULTS, parseFault, type FaultPlan } from './faults/faults';
import { handleFaultMessages } from './faults/messages';
import { APPEND_BYTES_MAX, COMMIT_TIMEOUT_MS, EVENT_BYTES_MAX } from './base/limits';
import { exportDirectory } from './export/export';
import { maintainDirectory } from './maintenance';
import { type InitialProjections, startServer } from './server';
import { verifyDirectory } from './storage/verify';

interface ServeOptions {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  readonly projections: InitialProjections;
  readonly tls: boolean;
  readonly cert?: string;
  readonly key?: string;
  readonly user: readonly string[];
  readonly advertiseHost?: string;
  readonly maxAppendBytes: number;
  readonly countDataBytesOnly: boolean;
  readonly commitTimeoutMs: number;
  readonly fault: FaultPlan;
  readonly faultSeed: number;
}

const serve = async (options: ServeOptions): Promise<void> => {
  const stop = (): void => {
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  const server = await startServer({
    onShutdown: stop,
    dir: options.dir,
    host: options.host,
    port: options.port,
    projections: options.projections,
    users: new Map(options.user.map(parseUser)),
    ...(options.tls ? { tls: readCertificate(options) } : {}),
    appendBytesMax: options.maxAppendBytes,
    countsDataBytesOnly: options.countDataBytesOnly,
    commitTimeoutMs: options.commitTimeoutMs,
    faults: options.fault,
    faultSeed: options.faultSeed,
    ...(options.advertiseHost === undefined ? {} : { advertiseHost: options.advertiseHost }),
  });
  handleFaultMessages(server);
  const scheme = options.tls ? 'tls=true' : 'tls=false';
  console.log(`Embedded event store ready: esdb://${options.host}:${server.port}?${scheme}`);
  console.log(`Data: ${options.dir}. Single node; past one machine, use EventStoreDB.`);
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  void server.failed.then((error) => {
    console.error(error.message);
    process.exit(1);
  });
};

/** Verifies in a child process, because LMDB ends the process that reads a damaged page. */
const verify = ({ dir }: { dir: string }): void => {
  const [, main = ''] = process.argv;
  const args = [...process.execArgv, main, VERIFY_IN_THIS_PROCESS, '--dir', dir];
  const { status, signal, error } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (error) throw error;
  if (signal !== null) console.error(`damaged: data.mdb cannot be read to its end (${signal}).`);
  process.exitCode = status ?? 1;
};

const VERIFY_IN_THIS_PROCESS = 'verify-here';

const verifyInThisProcess = async ({ dir }: { dir: string }): Promise<void> => {
  const { events, streams, bytes, problems, problemCount } = await verifyDirectory(dir);
  for (const problem of problems) console.error(problem);
  if (problemCount > problems.length) console.error(`… ${problemCount - problems.length} more`);
  console.log(
    `${events} events in ${streams} streams, ${bytes} bytes: ` +
      (problemCount === 0 ? 'sound.' : `damaged, ${problemCount} problems.`),
  );
  process.exitCode = problemCount === 0 ? 0 : 1;
};

const exportTo = async ({ dir, to }: { dir: string; to: string }): Promise<void> => {
  const startedMs = performance.now();
  let toldMs = 0;
  const { events, groups, reencoded } = await exportDirectory({
    dir,
    to,
    onProgress: (position, end) => {
      const nowMs = performance.now();
      if (nowMs - toldMs < PROGRESS_INTERVAL_MS && position < end) return;
      toldMs = nowMs;
      console.log(`${((position / end) * 100).toFixed(1)} % (position ${position} of ${end})`);
    },
  });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`Exported ${events} events and ${groups} groups in ${seconds} s.`);
  if (reencoded > 0) console.log(`${reencoded} events have the same JSON in other bytes.`);
};

const maintain =
  (task: 'scavenge' | 'compact') =>
  async ({ dir }: { dir: string }): Promise<void> => {
    const { state, eventsRemoved, error } = await maintainDirectory(dir, { task });
    if (state !== 'completed') throw new Error(error ?? `It ended as ${state}.`);
    const { size } = statSync(join(dir, 'data.mdb'));
    console.log(`Done: ${eventsRemoved} events removed; data.mdb has ${size} bytes.`);
  };

const backUpTo = async ({ dir, to }: { dir: string; to: string }): Promise<void> => {
  const { state, error } = await maintainDirectory(dir, { task: 'backup', toDir: to });
  if (state !== 'completed') throw new Error(error ?? `It ended as ${state}.`);
  console.log(`Done: ${to} holds the store. Check it with: verify --dir ${to}`);
};

const PROGRESS_INTERVAL_MS = 1_000;

const parseUser = (text: string): readonly [name: string, password: string] => {
  const colon = text.indexOf(':');
  if (colon <= 0) throw new Error('--user must have the form NAME:PASSWORD.');
  return [text.slice(0, colon), text.slice(colon + 1)];
};

const readCertificate = ({ cert, key }: ServeOptions): { cert: Buffer; key: Buffer } => {
  if (cert === undefined || key === undefined) throw new Error('--tls needs --cert and --key.');
  return { cert: readFileSync(cert), key: readFileSync(key) };
};

const collect = (value: string, previous: readonly string[]): readonly string[] => [
  ...previous,
  value,
];

const collectFault = (text: string, plan: FaultPlan): FaultPlan => {
  try {
    return new Map([...plan, parseFault(text)]);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
};

const faultHelp = Object.entries(FAULTS)
  .map(([name, what]) => `  ${name.padEnd(27)}${what}`)
  .join('\n');

const SCHEDULE_HELP = `Schedules of faults:
  N                          at every Nth opportunity
  next:N                     at the next N opportunities, then never again
  P%                         at random, at P percent of the opportunities (see --fault-seed)
  4s, 500ms                  at every opportunity for this time after the start
A program that starts this one with an IPC channel can also send
{ "inject": "NAME=SCHEDULE" } and { "clearFaults": true }. The answer is { "faultsSet": true }, for
the second one also with "struck", the number of times that faults struck.`;

const parseIntegerBetween =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

const program = new Command('eventstore').description(
  'A single-node server that speaks EventStoreDB’s gRPC protocol and stores in LMDB.',
);

program
  .command('serve', { isDefault: true })
  .description('run the server')
  .requiredOption('--dir <dir>', 'where the data is')
  .option('--host <host>', 'address to listen on', '127.0.0.1')
  .option(
    '--port <port>',
    'port to listen on, 0 for any free one',
    parseIntegerBetween(0, 65_535),
    2113,
  )
  .option('--advertise-host <host>', 'host name that gossip tells clients')
  .addOption(
    new Option(
      '--projections [which]',
      'what a new directory begins with: category links, or all standard projections of EventStoreDB',
    )
      .choices(['category', 'standard'])
      .preset('category')
      .default('none'),
  )
  .option('--tls', 'encrypt connections', false)
  .option('--cert <file>', 'certificate (PEM)')
  .option('--key <file>', 'private key (PEM)')
  .option('--user <name:password>', 'require basic authentication; repeatable', collect, [])
  .option(
    '--max-append-bytes <bytes>',
    'the largest append: data, metadata and types (twice their length) together',
    parseIntegerBetween(1, EVENT_BYTES_MAX),
    APPEND_BYTES_MAX,
  )
  .option(
    '--count-data-bytes-only',
    'measure appends as EventStoreDB did before 24.10.4: without metadata and types',
    false,
  )
  .option(
    '--commit-timeout-ms <ms>',
    'when an append is answered as timed out',
    parseIntegerBetween(1, 600_000),
    COMMIT_TIMEOUT_MS,
  )
  .option(
    '--fault <name=schedule>',
    'for tests, repeatable: let a fault strike; see below',
    collectFault,
    new Map(),
  )
  .option(
    '--fault-seed <seed>',
    'makes faults with a percentage repeatable',
    parseIntegerBetween(0, 2 ** 32 - 1),
    1,
  )
  .addHelpText('after', `\n${SCHEDULE_HELP}\n\nFaults, each with its opportunity:\n${faultHelp}`)
  .action(serve);

program
  .command('verify')
  .description('read everything and check it; ends with 0 when it is sound, with 1 when damaged')
  .requiredOption('--dir <dir>', 'where the data is')
  .action(verify);

program
  .command(VERIFY_IN_THIS_PROCESS, { hidden: true })
  .requiredOption('--dir <dir>')
  .action(verifyInThisProcess);

program
  .command('scavenge')
  .description(
    'remove what was deleted for good, truncated or has expired (a running server does it by itself)',
  )
  .requiredOption('--dir <dir>', 'where the data is; no server may have it open')
  .action(maintain('scavenge'));

program
  .command('compact')
  .description('scavenge, then write a new file in which nothing is left of what was removed')
  .requiredOption('--dir <dir>', 'where the data is; no server may have it open')
  .action(maintain('compact'));

program
  .command('backup')
  .description('copy the store into another directory')
  .requiredOption('--dir <dir>', 'where the data is; no server may have it open')
  .requiredOption('--to <dir>', 'a new or empty directory')
  .action(backUpTo);

program
  .command('export')
  .description(
    'copy everything into another EventStoreDB; run again to go on after an interruption',
  )
  .requiredOption('--dir <dir>', 'where the data is')
  .requiredOption('--to <connection-string>', 'the target, esdb://…')
  .action(exportTo);

program.parseAsync().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
