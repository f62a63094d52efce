import { type Command, Option } from 'commander';
import { parseCount } from './arguments';
import type { Client } from './client';
import { CallFailed } from './failures';
import { formatNextCommand } from './next-command';
import { KEY_TEXT, findTenant } from './operator';
import { printLine } from './output';

const createEventPath = (event: string): string =>
  `/v1/events/${encodeURIComponent(event)}/deliveries`;
const ALL_PATH = '/v1/deliveries';
const createDeliveryPath = (destination: string, event?: string): string =>
  `/v1/destinations/${encodeURIComponent(destination)}/deliveries${event === undefined ? '' : `/${encodeURIComponent(event)}`}`;

const EVENT_DELIVERY_COLUMNS = [
  'destination_id',
  'destination_status',
  'status',
  'waiting_for',
  'attempt_count',
  'last_status_code',
  'last_error',
  'next_attempt_at',
];
const NO_DESTINATION =
  'No destination: the environment of the event has none. Register one with "destination create", or start "listen".';
const LIST_COLUMNS = [
  'created_at',
  'event_type',
  'event_id',
  'destination_id',
  'status',
  'waiting_for',
  'attempt_count',
  'last_status_code',
  'last_error',
  'next_attempt_at',
];

interface ListOptions {
  readonly status?: string;
  readonly events?: string;
  readonly limit: number;
}

export const addDeliveriesCommands = (program: Command): void => {
  const deliveries = program
    .command('deliveries')
    .description('deliveries of events, and the reasons of failures');

  deliveries
    .command('show', { isDefault: true })
    .argument('<event>')
    .option('--key <key>', KEY_TEXT)
    .description('show for each destination whether it received the event')
    .action(async (event: string, _options, command: Command) => {
      const { client, showList } = findTenant(command);
      await showList(client.list(createEventPath(event)), EVENT_DELIVERY_COLUMNS, NO_DESTINATION);
    });

  deliveries
    .command('list')
    .argument('[destination]', 'only the deliveries to this destination')
    .option('--key <key>', KEY_TEXT)
    .addOption(
      new Option('--status <status>', 'only deliveries in this state').choices([
        'pending',
        'delivered',
        'failed',
      ]),
    )
    .option('--events <type>', 'a type or a family, for example payment.*')
    .option('--limit <count>', 'how many deliveries to show', parseCount, 50)
    .description('list the deliveries to all destinations, newest first')
    .action(async (destination: string | undefined, options: ListOptions, command: Command) => {
      const { client, showList } = findTenant(command);
      const query = {
        ...(options.status === undefined ? {} : { status: options.status }),
        ...(options.events === undefined ? {} : { event_type: options.events }),
      };
      const path = destination === undefined ? ALL_PATH : createDeliveryPath(destination);
      const columns = LIST_COLUMNS.filter((name) => path === ALL_PATH || name !== 'destination_id');
      await showList(client.list(path, query, options.limit), columns);
    });

  addAttemptCommands(deliveries);
};

const addAttemptCommands = (deliveries: Command): void => {
  deliveries
    .command('attempts')
    .argument('<destination>')
    .argument('<event>')
    .option('--key <key>', KEY_TEXT)
    .description('show each attempt with the response of the destination')
    .action(async (destination: string, event: string, _options, command: Command) => {
      const { client, show, showList, asJson } = findTenant(command);
      const delivery = await client.get(createDeliveryPath(destination, event));
      if (asJson) {
        show(delivery, []);
        return;
      }
      const attempts = delivery['attempts'] as Record<string, unknown>[];
      await showList(attempts, [
        'attempt',
        'at',
        'status_code',
        'error',
        'duration_ms',
        'response_body',
      ]);
    });

  deliveries
    .command('retry')
    .argument('<destination>')
    .argument('<event>')
    .option('--key <key>', KEY_TEXT)
    .description('send the event to the destination once more, now')
    .action(async (destination: string, event: string, _options, command: Command) => {
      const { client, show, asJson } = findTenant(command);
      const response = await client
        .change('post', `${createDeliveryPath(destination, event)}/retry`)
        .catch(async (error: unknown) => {
          throw await nameEnabling(error, client, { destination, event });
        });
      // The response has the state before the attempt, which people would take for its result.
      if (asJson) show(response, []);
      else printLine(formatRetry(destination, event));
    });
};

const formatRetry = (destination: string, event: string): string => {
  const attempts = formatNextCommand(`deliveries attempts ${destination} ${event}`);
  return `The event is being sent to ${destination}. To see the result:\n  ${attempts}`;
};

/** Names the command that enables the destination, if the retry was refused because it is disabled. */
const nameEnabling = async (
  error: unknown,
  client: Client,
  { destination, event }: { readonly destination: string; readonly event: string },
): Promise<unknown> => {
  if (!(error instanceof CallFailed) || error.apiError?.code !== 'destination_disabled')
    return error;
  const tenant = await client.get(`/v1/events/${encodeURIComponent(event)}`).then(
    (found) => (found['tenant'] as { id: string }).id,
    () => 'tnt_…',
  );
  const enable = formatNextCommand(`destination enable ${tenant} ${destination}`);
  const message = `The destination is disabled. Enable it first: ${enable}`;
  return new CallFailed(message, error.exitCode, error.apiError, error.status);
};
