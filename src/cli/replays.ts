import { type Command, Option } from 'commander';
import { parseInstantArgument, parseList, parseNumber } from './arguments';
import { KEY_TEXT, findTenant } from './operator';
import { REPLAY_FIELDS, REPLAY_PATH, requestReplay, watchReplay } from './replay-watch';

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
  readonly events?: readonly string[];
  readonly subscribers?: readonly string[];
  readonly cohorts?: readonly string[];
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
      await watchReplay(findTenant(command), id);
    });

  replay
    .command('list')
    .description('list replays, newest first')
    .action(async (_options, command: Command) => {
      const { client, showList } = findTenant(command);
      await showList(
        client.list(REPLAY_PATH),
        REPLAY_FIELDS.slice(0, 2).concat('from', 'events_matched'),
      );
    });

  replay
    .command('failures')
    .argument('<replay>')
    .description('list the events of a replay that could not be delivered')
    .action(async (id: string, _options, command: Command) => {
      const { client, showList } = findTenant(command);
      const fields = ['event_id', 'event_type', 'attempts', 'last_status_code', 'last_error'];
      await showList(client.list(`${REPLAY_PATH}/${id}/failures`), fields);
    });

  replay
    .command('cancel')
    .argument('<replay>')
    .description('cancel a replay; events that were sent are not undone')
    .action(async (id: string, _options, command: Command) => {
      const { client, show } = findTenant(command);
      show(await client.change('delete', `${REPLAY_PATH}/${id}`), REPLAY_FIELDS);
    });
};

const createCommand = (replay: Command): void => {
  replay
    .command('create', { isDefault: true })
    .option(
      '--destination <destination>',
      'the destination that receives the events again (required without --retry-of)',
    )
    .option(
      '--from <time>',
      'date or time, inclusive: 2026-10-01, 2026-10-01T09:30:00Z (required without --retry-of)',
      parseInstantArgument,
    )
    .option('--to <time>', 'date or time, exclusive (default: now)', parseInstantArgument)
    .option(
      '--events <types>',
      'types or families separated by commas, for example payment.*',
      parseList,
    )
    .option(
      '--subscribers <ids>',
      'only the events of these subscribers, separated by commas',
      parseList,
    )
    .option(
      '--cohorts <ids>',
      'only the events of members of these cohorts, separated by commas',
      parseList,
    )
    .option('--force', 'also events that the destination has received before')
    .option('--rate <events>', 'maximum number of events per second', parseNumber)
    .addOption(
      new Option('--retry-of <replay>', 'only the events that this replay could not deliver')
        // The new replay has the destination and the window of the old one.
        .conflicts(['destination', 'from', 'to', 'events', 'subscribers', 'cohorts', 'force']),
    )
    .option('--dry-run', 'only show what would be sent; sends nothing')
    .option('--detach', 'print the id of the replay and do not wait for its end')
    .description('start a replay and show its progress')
    .action(async (options: CreateOptions, command: Command) => {
      const caller = findTenant(command);
      const job = await requestReplay(caller, createBody(options));
      if (options.dryRun === true) caller.show(job, DRY_RUN_FIELDS);
      else if (options.detach === true) caller.show(job, REPLAY_FIELDS);
      else await watchReplay(caller, String(job['replay_id']));
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

const createListField = (name: string, items: readonly string[] | undefined): Json =>
  items === undefined ? {} : { [name]: items };
