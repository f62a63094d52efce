import type { Command } from 'commander';
import { parseJsonObject } from './arguments';
import { CallFailed, type Client, EXIT } from './client';
import { findNearest } from './nearest';
import { KEY_TEXT, findTenant } from './operator';

export const triggerCommand = (program: Command): void => {
  program
    .command('trigger')
    .argument('<event type>', 'any type of the catalogue at /docs/events, as payment.failed')
    .option('--key <key>', KEY_TEXT)
    .option('--subscriber <subscriber>', 'whose event it is; a new subscriber without it')
    .option('--data <json>', 'fields of "data" that differ from the sample', parseJsonObject)
    .description('make a sample event in a test environment; it is stored and delivered')
    .action(
      async (
        type: string,
        { subscriber, data }: { subscriber?: string; data?: Record<string, unknown> },
        command: Command,
      ) => {
        const { client, show } = findTenant(command);
        const body = {
          type,
          ...(subscriber === undefined ? {} : { subscriber_id: subscriber }),
          ...(data === undefined ? {} : { data }),
        };
        const event = await client
          .change('post', '/v1/test_helpers/events', body)
          .catch(async (error: unknown) => {
            throw (await explainUnknownType(client, type, error)) ?? error;
          });
        show(event, ['id', 'type', 'created_at', 'sequence']);
      },
    );
};

/** Returns an error with the nearest type and all types; null if the service knows the type. */
const explainUnknownType = async (
  client: Client,
  type: string,
  error: unknown,
): Promise<CallFailed | null> => {
  if (!(error instanceof CallFailed) || error.exitCode !== EXIT.refused) return null;
  const { data: known } = await client.get('/v1/event_types');
  const types = (known as { type: string }[]).map((each) => each.type);
  if (types.includes(type)) return null;
  const nearest = findNearest(type, types) ?? '';
  return new CallFailed(
    `There is no event type "${type}". Did you mean ${nearest}? There are:\n  ${types.join('\n  ')}`,
    EXIT.usage,
  );
};
