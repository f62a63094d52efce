import { type Command, Option } from 'commander';
import { parseCount } from './arguments';
import { KEY_TEXT, findTenant } from './operator';

type Json = Record<string, unknown>;

const PATH = '/v1/subscribers';
const createPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
const STATUSES = ['active', 'trialing', 'paused', 'cancelled', 'lapsed'];
const LIST_COLUMNS = ['id', 'email', 'status', 'plan', 'created_at'];
const SHOW_FIELDS = [
  'id',
  'external_id',
  'email',
  'email_hashed',
  'subscription',
  'tags',
  'metadata',
  'cohort_ids',
  'total_paid',
  'paid_currency',
  'last_payment_at',
  'test_clock',
  'created_at',
];

interface ListOptions {
  readonly status?: string;
  readonly plan?: string;
  readonly tag?: string;
  readonly externalId?: string;
  readonly email?: string;
  readonly limit: number;
}

export const addSubscribersCommands = (program: Command): void => {
  const subscribers = program.command('subscribers').description('the subscribers of a tenant');

  subscribers
    .command('list', { isDefault: true })
    .option('--key <key>', KEY_TEXT)
    .addOption(new Option('--status <status>', 'only those in this state').choices(STATUSES))
    .option('--plan <plan>', 'only those of this plan')
    .option('--tag <tag>', 'only those with this tag')
    .option('--external-id <id>', 'only the one with this id of your own')
    .option('--email <address>', 'only those with this e-mail address')
    .option('--limit <count>', 'how many subscribers to show', parseCount, 50)
    .description('list subscribers, newest first')
    .action(async ({ limit, ...filters }: ListOptions & { key?: string }, command: Command) => {
      const { client, showList, asJson } = findTenant(command);
      const { key: _, externalId, ...others } = filters;
      const query = { ...others, ...(externalId === undefined ? {} : { external_id: externalId }) };
      const found = client.list(PATH, query, limit);
      await showList(asJson ? found : addSubscription(found), LIST_COLUMNS);
    });

  subscribers
    .command('show')
    .argument('<subscriber>')
    .option('--key <key>', KEY_TEXT)
    .description('show a subscriber')
    .action(async (id: string, _options, command: Command) => {
      const { client, show } = findTenant(command);
      show(await client.get(createPath(id)), SHOW_FIELDS);
    });

  subscribers
    .command('timeline')
    .argument('<subscriber>')
    .option('--key <key>', KEY_TEXT)
    .option('--limit <count>', 'how many events to show', parseCount, 50)
    .description('list the events of a subscriber, newest first')
    .action(async (id: string, { limit }: { limit: number }, command: Command) => {
      const { client, showList } = findTenant(command);
      const found = client.list(`${createPath(id)}/timeline`, {}, limit);
      await showList(found, ['sequence', 'created_at', 'type', 'id', 'actor', 'reason']);
    });
};

/** Copies the status and the plan of the subscription to columns. */
async function* addSubscription(subscribers: AsyncIterable<Json>): AsyncGenerator<Json> {
  for await (const subscriber of subscribers) {
    const { status, plan } = (subscriber['subscription'] ?? {}) as Json;
    yield { ...subscriber, status, plan };
  }
}
