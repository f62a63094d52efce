import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { parseInstantArgument, parseNumber } from './arguments';
import { type Caller, KEY_TEXT, findTenant } from './operator';
import { printLine } from './output';
import { Progress } from './progress';

const POLL_MS = 500;
const PATH = '/v1/replay';
const FIELDS = [
  'replay_id',
  'status',
  'failure_reason',
  'destination_id',
  'from',
  'effective_to',
  'events_matched',
  'events_delivered',
  'events_failed',
  'events_pending',
  'events_skipped',
  'started_at',
  'finished_at',
];
const DRY_RUN_FIELDS = [
  'destination_id',
  'from',
  'effective_to',
  'estimated_event_count',
  'events_skipped',
  'first_event',
  'last_event',
];

type Json = Record<string, unknown>;

interface CreateOptions {
  readonly destination?: string;
  readonly from?: string;
  readonly to?: string;
  readonly events?: string;
  readonly subscribers?: string;
  readonly cohorts?: string;
  readonly force?: true;
  readonly rate?: number;
  readonly retryOf?: string;
  readonly dryRun?: true;
  readonly detach?: true;
}

export const replayCommands = (program: Command): void => {
  const replay = program
    .command('replay')
    .description('send events of the last 24 months again; with a key of the tenant')
    .option('--key <key>', KEY_TEXT);
  createCommand(replay);

  replay
    .command('watch')
    .argument('<replay>')
    .description('show the progress of a replay until it ends')
    .action(async (id: string, _options, command: Command) => {
      await watch(findTenant(command), id);
    });

  replay
    .command('list')
    .description('list replays, newest first')
    .action(async (_options, command: Command) => {
      const { client, showList } = findTenant(command);
      await showList(client.list(PATH), FIELDS.slice(0, 2).concat('from', 'events_matched'));
    });

  replay
    .command('failures')
    .argument('<replay>')
    .description('list the events of a replay that could not be delivered')
    .action(async (id: string, _options, command: Command) => {
      const { client, showList } = findTenant(command);
      const fields = ['event_id', 'event_type', 'attempts', 'last_status_code', 'last_error'];
      await showList(client.list(`${PATH}/${id}/failures`), fields);
    });

  replay
    .command('cancel')
    .argument('<replay>')
    .description('cancel a replay; events that were sent are not undone')
    .action(async (id: string, _options, command: Command) => {
      const { client, show } = findTenant(command);
      show(await client.change('delete', `${PATH}/${id}`), FIELDS);
    });
};

const createCommand = (replay: Command): void => {
  replay
    .command('create', { isDefault: true })
    .option('--destination <destination>')
    .option(
      '--from <time>',
      'date or time, inclusive: 2026-10-01, 2026-10-01T09:30:00Z',
      parseInstantArgument,
    )
    .option('--to <time>', 'date or time, exclusive (default: now)', parseInstantArgument)
    .option('--events <types>', 'types or families separated by commas, for example payment.*')
    .option('--subscribers <ids>', 'separated by commas')
    .option('--cohorts <ids>', 'separated by commas')
    .option('--force', 'also events that the destination has received before')
    .option('--rate <events>', 'maximum number of events per second', parseNumber)
    .option('--retry-of <replay>', 'only the events that this replay could not deliver')
    .option('--dry-run', 'only show what would be sent')
    .option('--detach', 'do not wait for the end')
    .description('start a replay and show its progress')
    .action(async (options: CreateOptions, command: Command) => {
      const caller = findTenant(command);
      const job = await caller.client.change('post', PATH, createBody(options));
      if (options.dryRun === true) caller.show(job, DRY_RUN_FIELDS);
      else if (options.detach === true) caller.show(job, FIELDS);
      else await watch(caller, String(job['replay_id']));
    });
};

const createBody = (options: CreateOptions): Json => {
  const { retryOf, destination, from, to, force, rate, dryRun } = options;
  const common = {
    ...(rate === undefined ? {} : { rate_per_second: rate }),
    ...(dryRun === true ? { dry_run: true } : {}),
  };
  if (retryOf !== undefined) return { retry_of: retryOf, ...common };
  return {
    ...common,
    destination_id: destination,
    from,
    to: to ?? new Date().toISOString(),
    ...createListField('event_types', options.events),
    ...createListField('subscriber_ids', options.subscribers),
    ...createListField('cohort_ids', options.cohorts),
    ...(force === true ? { dedupe_strategy: 'force_redeliver' } : {}),
  };
};

const createListField = (name: string, text: string | undefined): Json =>
  text === undefined ? {} : { [name]: text.split(',') };

const ALL_SKIPPED =
  '\nNothing was sent, because the destination has received all of these events before. To send them again, add --force.';

/**
 * Shows the progress of a replay until it ends. The command exits with 1 if the replay did not
 * complete.
 */
const watch = async ({ client, show, asJson }: Caller, id: string): Promise<void> => {
  const progress = new Progress();
  let shown = '';
  const showProgress = (state: Json): void => {
    const line = progress.formatLine(readCounts(state), Date.now());
    // A log file needs no repeated lines; a terminal overwrites them.
    if (asJson || line === shown) return;
    shown = line;
    process.stderr.write(`\r${line}`);
  };
  let job = await client.get(`${PATH}/${id}`);
  while (job['finished_at'] === null) {
    showProgress(job);
    await delay(POLL_MS);
    job = await client.get(`${PATH}/${id}`);
  }
  showProgress(job);
  if (!asJson) process.stderr.write('\n');
  show(job, FIELDS);
  if (!asJson && job['events_delivered'] === 0 && Number(job['events_skipped']) > 0)
    printLine(ALL_SKIPPED);
  if (job['status'] !== 'completed') process.exitCode = 1;
};

const readCounts = (job: Json): { done: number; failed: number; total: number } => ({
  done: Number(job['events_delivered']) + Number(job['events_failed']),
  failed: Number(job['events_failed']),
  total: Number(job['events_matched']) - Number(job['events_skipped']),
});
