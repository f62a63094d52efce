import { Argument, type Command, type Help, type HelpConfiguration } from 'commander';
import { fillLines } from './output';

/** With the indent and the end of the line, an example is not longer than 80 characters. */
const EXAMPLE_CHARS_MAX = 74;
/** The end of a line of a shell command that goes on in the next one. */
const CONTINUED = ' \\\n    ';

const USAGE_TITLE = 'Usage: ';

/**
 * How the help is laid out. A group lists its commands without "[options]", and wraps their
 * descriptions also beside long names, so that no line is longer than the terminal.
 */
export const HELP_LAYOUT: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 20,
  subcommandTerm: (command) =>
    [command.name(), ...command.registeredArguments.map(formatArgument)].join(' '),
  styleUsage(this: Help, usage) {
    const room = (this.helpWidth ?? 80) - USAGE_TITLE.length;
    return this.boxWrap(usage, room).replaceAll('\n', `\n${' '.repeat(USAGE_TITLE.length)}`);
  },
};

const formatArgument = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

/** One example for each command, without `npm run cli --`. */
const EXAMPLES: Readonly<Record<string, string>> = {
  quickstart: 'quickstart',
  listen: 'listen --forward http://localhost:4000/webhooks',
  trigger: `trigger payment.failed --subscriber subscriber_… --data '{"payment":{"amount":900}}'`,
  'events tail': "events tail --events 'payment.*,ticket.submitted'",
  'events list': 'events list --from 2026-10-01 --to 2026-11-01 --limit 100',
  'events types': 'events types',
  'events show': 'events show evt_…',
  'deliveries show': 'deliveries evt_…',
  'deliveries list': 'deliveries list dest_… --status failed',
  'deliveries attempts': 'deliveries attempts dest_… evt_…',
  'deliveries retry': 'deliveries retry dest_… evt_…',
  'subscribers list': 'subscribers list --status active --plan pro',
  'subscribers show': 'subscribers show subscriber_…',
  'subscribers timeline': 'subscribers timeline subscriber_… --limit 20',
  'metrics list': 'metrics list',
  'metrics get': 'metrics get mrr --window last_90d --granularity week',
  'console link': 'console link --tenant tnt_… --role developer',
  'tenant create': "tenant create 'Acme Magazine'",
  'tenant list': 'tenant list --json',
  'tenant show': 'tenant show tnt_…',
  'tenant set': `tenant set tnt_… '{"grace_days":7}'`,
  'tenant suspend': "tenant suspend tnt_… --reason 'invoice unpaid'",
  'tenant resume': 'tenant resume tnt_…',
  'tenant delete': 'tenant delete tnt_… --confirm tnt_…',
  'key create':
    'key create tnt_… --environment test --name backend --scopes events:read,replay:write',
  'key list': 'key list tnt_…',
  'key rotate': 'key rotate tnt_… key_… --overlap-hours 48',
  'key revoke': 'key revoke tnt_… key_…',
  'operator-token create': 'operator-token create --name ada --expires-at 2027-01-31',
  'operator-token list': 'operator-token list',
  'operator-token rotate': 'operator-token rotate opt_… --overlap-hours 48',
  'operator-token revoke': 'operator-token revoke opt_…',
  'destination create':
    "destination create tnt_… --environment test --url https://example.com/webhooks --events 'payment.*'",
  'destination list': 'destination list tnt_…',
  'destination show': 'destination show tnt_… dest_…',
  'destination set': `destination set tnt_… dest_… '{"rate_limit_per_second":50}'`,
  'destination disable': 'destination disable tnt_… dest_…',
  'destination enable': 'destination enable tnt_… dest_… --skip',
  'destination rotate-secret': 'destination rotate-secret tnt_… dest_… --overlap-hours 0',
  'destination delete': 'destination delete tnt_… dest_…',
  'destination restore': 'destination restore tnt_… dest_…',
  'destination test': 'destination test tnt_… dest_…',
  'destination preview': 'destination preview tnt_… dest_… evt_…',
  'replay create':
    "replay --destination dest_… --from 2026-10-01 --to 2026-11-01 --events 'payment.*' --dry-run",
  'replay watch': 'replay watch rep_…',
  'replay list': 'replay list',
  'replay failures': 'replay failures rep_…',
  'replay cancel': 'replay cancel rep_…',
  rebuild: 'rebuild subscribers tickets',
  'analyst create': 'analyst create ada --tenant tnt_…',
  export: 'export subscribers --tenant tnt_… --environment test --format csv > subscribers.csv',
  'projections verify': 'projections verify --sample 1000',
  import: 'import subscribers.ndjson',
  'master-key show': 'master-key show',
  'master-key rotate': 'master-key rotate',
  backup: 'backup /var/backups/today --no-master-key',
  restore: 'restore /var/backups/today --data-dir ./restored',
  'store scavenge': 'store scavenge',
  'store compact': 'store compact',
  'erasure verify': 'erasure verify subscriber_…',
  completion: 'completion bash',
};

/** Descriptions of arguments that have none of their own, by name. */
const ARGUMENT_TEXTS: Readonly<Record<string, string>> = {
  destination: 'id of a destination ("destination list" shows them)',
  event: 'id of an event ("events list" shows them)',
  key: 'id of a key, not its text ("key list" shows them)',
  name: 'name of the new object',
  replay: 'id of a replay ("replay list" shows them)',
  subscriber: 'id of a subscriber ("subscribers list" shows them)',
  tenant: 'id of a tenant ("tenant list" shows them)',
  'token-id': 'id of a token, not its text ("operator-token list" shows them)',
};

/** For each group of commands: the command that it runs if the arguments name none. */
const DEFAULT_SUBCOMMANDS: Readonly<Record<string, string>> = {
  deliveries: 'show',
  replay: 'create',
  subscribers: 'list',
};

/** Adds the example and the descriptions of arguments to the help of all commands below one. */
export const completeHelp = (command: Command, parents: readonly string[] = []): void => {
  for (const child of command.commands) {
    const path = [...parents, child.name()];
    for (const argument of child.registeredArguments) describeArgument(argument);
    for (const option of child.options) if (option.mandatory) option.description += ' (required)';
    const example = EXAMPLES[path.join(' ')];
    if (example !== undefined) {
      child.addHelpText('after', `\nExample:\n${formatExample(example)}`);
    }
    const fallback = DEFAULT_SUBCOMMANDS[path.join(' ')];
    if (fallback !== undefined) {
      const call = [...path, fallback, '--help'].join(' ');
      child.addHelpText(
        'after',
        `\nWithout a command it runs "${fallback}":\n  npm run cli -- ${call}`,
      );
    }
    completeHelp(child, path);
  }
};

/** Formats a call, broken before its options where it is too long for a line. */
const formatExample = (example: string): string => {
  const parts = `npm run cli -- ${example}`.split(/ (?=--\w|>)/);
  return `  ${fillLines(parts, EXAMPLE_CHARS_MAX).join(CONTINUED)}`;
};

const describeArgument = (argument: Argument): void => {
  if (argument.description === '') argument.description = ARGUMENT_TEXTS[argument.name()] ?? '';
};
