import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { FAULTS, isFaultName, type FaultPlan } from './faults/faults';
import { APPEND_BYTES_MAX, COMMIT_TIMEOUT_MS, EVENT_BYTES_MAX } from './limits';
import { exportDirectory } from './export/export';
import { startServer } from './server';
import { verifyDirectory } from './storage/verify';

interface ServeOptions {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  readonly projections: boolean;
  readonly tls: boolean;
  readonly cert?: string;
  readonly key?: string;
  readonly user: readonly string[];
  readonly advertiseHost?: string;
  readonly maxAppendBytes: number;
  readonly commitTimeoutMs: number;
  readonly fault: FaultPlan;
}

const serve = async (options: ServeOptions): Promise<void> => {
  const server = await startServer({
    dir: options.dir,
    host: options.host,
    port: options.port,
    projections: options.projections,
    users: new Map(options.user.map(parseUser)),
    ...(options.tls ? { tls: readCertificate(options) } : {}),
    appendBytesMax: options.maxAppendBytes,
    commitTimeoutMs: options.commitTimeoutMs,
    faults: options.fault,
    ...(options.advertiseHost === undefined ? {} : { advertiseHost: options.advertiseHost }),
  });
  const scheme = options.tls ? 'tls=true' : 'tls=false';
  console.log(`Embedded event store ready: esdb://${options.host}:${server.port}?${scheme}`);
  console.log(
    `Data: ${options.dir}. Single node; past one machine, use EventStoreDB or KurrentDB.`,
  );
  const stop = (): void => {
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  void server.failed.then((error) => {
    console.error(error.message);
    process.exit(1);
  });
};

/** Reading pages that are not LMDB's ends the process that reads them: so another one does it. */
const verify = ({ dir }: { dir: string }): void => {
  const [, main = ''] = process.argv;
  const args = [...process.execArgv, main, VERIFY_HERE, '--dir', dir];
  const { status, signal, error } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (error) throw error;
  if (signal !== null) console.error(`damaged: data.mdb cannot be read to its end (${signal}).`);
  process.exitCode = status ?? 1;
};

const VERIFY_HERE = 'verify-here';

const verifyHere = async ({ dir }: { dir: string }): Promise<void> => {
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

const PROGRESS_INTERVAL_MS = 1_000;

const parseUser = (text: string): readonly [name: string, password: string] => {
  const colon = text.indexOf(':');
  if (colon <= 0) throw new Error('--user takes NAME:PASSWORD.');
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
  const [name = '', every = ''] = text.split('=');
  if (!isFaultName(name) || !/^[1-9]\d*$/.test(every)) {
    throw new InvalidArgumentError(`Faults are ${Object.keys(FAULTS).join(', ')}, as NAME=N.`);
  }
  return new Map([...plan, [name, Number(every)]]);
};

const faultHelp = Object.entries(FAULTS)
  .map(([name, what]) => `  ${name}=N`.padEnd(28) + what)
  .join('\n');

const integer =
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
  .option('--port <port>', 'port to listen on, 0 for any free one', integer(0, 65_535), 2113)
  .option('--advertise-host <host>', 'host name that gossip tells clients')
  .option('--projections', 'enable the category projection in a new directory', false)
  .option('--tls', 'encrypt connections', false)
  .option('--cert <file>', 'certificate (PEM)')
  .option('--key <file>', 'private key (PEM)')
  .option('--user <name:password>', 'require basic authentication; repeatable', collect, [])
  .option(
    '--max-append-bytes <bytes>',
    'data bytes of one append',
    integer(1, EVENT_BYTES_MAX),
    APPEND_BYTES_MAX,
  )
  .option(
    '--commit-timeout-ms <ms>',
    'when an append is answered as timed out',
    integer(1, 600_000),
    COMMIT_TIMEOUT_MS,
  )
  .option(
    '--fault <name=N>',
    'for tests, repeatable: let this happen at every Nth opportunity',
    collectFault,
    new Map(),
  )
  .addHelpText('after', `\nFaults:\n${faultHelp}`)
  .action(serve);

program
  .command('verify')
  .description('read everything and check it; ends with 0 when it is sound, with 1 when damaged')
  .requiredOption('--dir <dir>', 'where the data is')
  .action(verify);

program.command(VERIFY_HERE, { hidden: true }).requiredOption('--dir <dir>').action(verifyHere);

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
