import { type Command, Option } from 'commander';
import { createEnvironmentOption, parseJsonObject, parseList, parseNumber } from './arguments';
import { CallFailed, EXIT } from './failures';
import { type Caller, findOperator } from './operator';
import { printLine } from './output';

interface CreateOptions {
  readonly environment: string;
  readonly url?: string;
  readonly email?: string;
  readonly events?: readonly string[];
  readonly pii?: string;
  readonly ordering?: string;
}

const SHOW_FIELDS = [
  'id',
  'environment',
  'type',
  'url',
  'email',
  'event_types',
  'pii_mode',
  'ordering',
  'status',
  'disabled_reason',
  'previous_secret_expires_at',
];

const KEEP_SECRET = '\nKeep the signing secret: it is not shown again.';

const NO_TARGET =
  'error: name the target with --url (a webhook) or with --email (an e-mail destination).';

const createPath = (tenant: string, id?: string): string =>
  `/operator/v1/tenants/${tenant}/destinations${id === undefined ? '' : `/${id}`}`;

/** Shows a destination as lines. Of the chosen fields, empty ones are shown too. */
const showDestination = (
  { show, asJson }: Caller,
  destination: Readonly<Record<string, unknown>>,
  chosen: readonly string[] = [],
): void => {
  const empty = chosen.filter((name) => destination[name] === null).map((name) => [name, 'none']);
  const shown = {
    ...destination,
    ...(Object.fromEntries(empty) as object),
    event_types: destination['event_types'] ?? 'all',
  };
  show(asJson ? destination : shown, [...new Set([...SHOW_FIELDS, ...chosen])]);
};

export const addDestinationCommands = (program: Command): void => {
  const destination = program
    .command('destination')
    .description("a tenant's destinations: register, change, try, delete");
  createCommand(destination);
  addReadingCommands(destination);
  addChangingCommands(destination);
  addDeletingCommands(destination);
  addTryingCommands(destination);
};

const createCommand = (destination: Command): void => {
  destination
    .command('create')
    .argument('<tenant>')
    .addOption(createEnvironmentOption().makeOptionMandatory())
    .option('--url <url>', 'for a webhook: the address to which events are sent')
    .addOption(
      new Option(
        '--email <address>',
        'instead of --url: the e-mail address to which tickets are sent',
      ).conflicts('url'),
    )
    .option(
      '--events <types>',
      'types or families separated by commas, for example payment.* (default: all)',
      parseList,
    )
    .addOption(
      new Option('--pii <mode>', 'personal data in the events (default: full)').choices([
        'full',
        'hashed_only',
        'minimal',
      ]),
    )
    .addOption(
      new Option(
        '--ordering <mode>',
        'how long a failing delivery delays newer events of its subscriber (default: relaxed)',
      ).choices(['relaxed', 'strict']),
    )
    .description('register a destination; its signing secret is shown once')
    .action(async (tenant: string, options: CreateOptions, command: Command) => {
      const caller = findOperator(command);
      const { environment, url, email, events, pii, ordering } = options;
      if (url === undefined && email === undefined) throw new CallFailed(NO_TARGET, EXIT.usage);
      const body = {
        type: email === undefined ? 'https_webhook' : 'email_fallback',
        environment,
        ...(url === undefined ? {} : { url }),
        ...(email === undefined ? {} : { email }),
        ...(events === undefined ? {} : { event_types: events }),
        ...(pii === undefined ? {} : { pii_mode: pii }),
        ...(ordering === undefined ? {} : { ordering }),
      };
      const created = await caller.client.change('post', createPath(tenant), body);
      showDestination(caller, created, ['signing_secret']);
      if (!caller.asJson && 'signing_secret' in created) printLine(KEEP_SECRET);
    });
};

/** Returns the health of a destination that fails; no fields if it does not. */
const findFailure = async (
  { client }: Caller,
  tenant_id: string,
  id: string,
): Promise<Readonly<Record<string, unknown>>> => {
  for await (const failing of client.list('/operator/v1/failing_destinations', { tenant_id })) {
    const found = failing['destination'] as Readonly<Record<string, unknown>>;
    if (found['destination_id'] !== id) continue;
    const { health, failing_since, last_status_code, last_error } = found;
    return { health, failing_since, last_status_code, last_error };
  }
  return {};
};

const addReadingCommands = (destination: Command): void => {
  destination
    .command('list')
    .argument('<tenant>')
    .option('--environment <environment>', 'live or test (default: both)')
    .description('list destinations')
    .action(async (tenant: string, query: { environment?: string }, command: Command) => {
      const { client, showList } = findOperator(command);
      const fields = ['id', 'environment', 'type', 'url', 'email', 'status', 'pii_mode'];
      await showList(client.list(createPath(tenant), query), fields);
    });

  destination
    .command('show')
    .argument('<tenant>')
    .argument('<destination>')
    .description('show a destination')
    .action(async (tenant: string, id: string, _options, command: Command) => {
      const caller = findOperator(command);
      const destination = await caller.client.get(createPath(tenant, id));
      const health = caller.asJson ? {} : await findFailure(caller, tenant, id);
      showDestination(caller, { ...destination, ...health }, Object.keys(health));
    });
};

const addChangingCommands = (destination: Command): void => {
  destination
    .command('set')
    .argument('<tenant>')
    .argument('<destination>')
    .argument('<changes>', 'JSON, for example \'{"pii_mode":"minimal"}\'', parseJsonObject)
    .description("change a destination's settings")
    .action(
      async (
        tenant: string,
        id: string,
        changes: Record<string, unknown>,
        _options,
        command: Command,
      ) => {
        const caller = findOperator(command);
        const changed = await caller.client.change('patch', createPath(tenant, id), changes);
        showDestination(caller, changed, Object.keys(changes));
      },
    );

  destination
    .command('disable')
    .argument('<tenant>')
    .argument('<destination>')
    .description('stop deliveries; events stay in the log')
    .action(async (tenant: string, id: string, _options, command: Command) => {
      const caller = findOperator(command);
      const body = { status: 'disabled' };
      showDestination(caller, await caller.client.change('patch', createPath(tenant, id), body));
    });

  destination
    .command('enable')
    .argument('<tenant>')
    .argument('<destination>')
    .option('--skip', 'skip the events that came while it was disabled (they can be replayed)')
    .description('start deliveries again, beginning with the events that arrived in the meantime')
    .action(async (tenant: string, id: string, { skip }: { skip?: true }, command: Command) => {
      const caller = findOperator(command);
      const body = { status: 'active', ...(skip === true ? { resume_from: 'now' } : {}) };
      showDestination(caller, await caller.client.change('patch', createPath(tenant, id), body));
    });

  destination
    .command('rotate-secret')
    .argument('<tenant>')
    .argument('<destination>')
    .option(
      '--overlap-hours <hours>',
      'hours for which the old secret is still valid, at most 24; 0 for a leaked one',
      parseNumber,
      24,
    )
    .description('issue a new signing secret; only the one before it stays valid for the overlap')
    .action(
      async (
        tenant: string,
        id: string,
        { overlapHours }: { overlapHours: number },
        command: Command,
      ) => {
        const { client, show, asJson } = findOperator(command);
        const fields = ['id', 'signing_secret', 'previous_secret_expires_at'];
        const body = { overlap_hours: overlapHours };
        show(await client.change('post', `${createPath(tenant, id)}/rotate-secret`, body), fields);
        if (!asJson) printLine(KEEP_SECRET);
      },
    );
};

const addDeletingCommands = (destination: Command): void => {
  destination
    .command('delete')
    .argument('<tenant>')
    .argument('<destination>')
    .option('--force', 'delete it for good at once')
    .description('delete a destination; recoverable for 30 days without --force')
    .action(async (tenant: string, id: string, { force }: { force?: true }, command: Command) => {
      const { client, show, asJson } = findOperator(command);
      const path = `${createPath(tenant, id)}${force === true ? '?force=true' : ''}`;
      const deleted = await client.change('delete', path);
      if (force === true && !asJson) printLine(`${id} is deleted for good.`);
      else show(deleted, ['id', 'status', 'recoverable_until']);
    });

  destination
    .command('restore')
    .argument('<tenant>')
    .argument('<destination>')
    .description('undo a deletion without --force, within 30 days')
    .action(async (tenant: string, id: string, _options, command: Command) => {
      const caller = findOperator(command);
      showDestination(
        caller,
        await caller.client.change('post', `${createPath(tenant, id)}/restore`),
      );
    });
};

const addTryingCommands = (destination: Command): void => {
  destination
    .command('test')
    .argument('<tenant>')
    .argument('<destination>')
    .description('send the event test.ping now and show the response; exit code 1 if it is no 2xx')
    .action(async (tenant: string, id: string, _options, command: Command) => {
      const { client, show } = findOperator(command);
      const fields = ['status_code', 'duration_ms', 'error'];
      const tested = await client.change('post', `${createPath(tenant, id)}/test`);
      show(tested, fields);
      const status = Number(tested['status_code']);
      if (status < 200 || status >= 300) process.exitCode = EXIT.failed;
    });

  destination
    .command('preview')
    .argument('<tenant>')
    .argument('<destination>')
    .argument('<event>')
    .description('show the request that an event would make; sends nothing')
    .action(async (tenant: string, id: string, event: string, _options, command: Command) => {
      const { client, show } = findOperator(command);
      const body = { event_id: event };
      show(await client.change('post', `${createPath(tenant, id)}/preview`, body), [
        'headers',
        'body',
      ]);
    });
};
