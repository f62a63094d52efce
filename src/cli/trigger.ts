import type { Command } from 'commander';
import { parseJsonObject } from './arguments';
import { CallFailed, EXIT } from './failures';
import { KEY_TEXT, findTenant } from './operator';

type Json = Record<string, unknown>;

const FIELDS = [
  'id',
  'type',
  'created_at',
  'sequence',
  'subscriber_id',
  'tenant_id',
  'environment',
  'data',
];

export const addTriggerCommand = (program: Command): void => {
  program
    .command('trigger')
    .argument('<event type>', 'a type ("events types" lists them), for example payment.failed')
    .option('--key <key>', KEY_TEXT)
    .option('--subscriber <subscriber>', 'the subscriber of the event (default: a new one)')
    .option(
      '--data <json>',
      'fields of "data" that differ from the sample, as JSON',
      parseJsonObject,
    )
    .description('create a sample event in a test environment; it is stored and delivered')
    .action(
      async (
        type: string,
        { subscriber, data }: { subscriber?: string; data?: Record<string, unknown> },
        command: Command,
      ) => {
        const { client, show, asJson } = findTenant(command);
        const body = {
          type,
          ...(subscriber === undefined ? {} : { subscriber_id: subscriber }),
          ...(data === undefined ? {} : { data }),
        };
        const event = await client
          .change('post', '/v1/test_helpers/events', body)
          // A misspelt type is a usage error, like an unknown option.
          .catch((error: unknown) => {
            if (!(error instanceof CallFailed) || error.apiError?.param !== 'type') throw error;
            throw error.withAdvice(`All types: ${client.url}/docs/events`, EXIT.usage);
          });
        show(asJson ? event : summarize(event, data), FIELDS);
      },
    );
};

/** Names the subscriber and the tenant by their ids. Of `data`, only the chosen fields are left. */
const summarize = (event: Json, chosen: unknown): Json => ({
  ...event,
  subscriber_id: readId(event['subscriber']),
  tenant_id: readId(event['tenant']),
  data: pickChosen(event['data'], chosen),
});

const readId = (object: unknown): unknown => (isObject(object) ? object['id'] : undefined);

/** Returns the fields of a value that were chosen by a value of the same shape. */
const pickChosen = (value: unknown, chosen: unknown): unknown => {
  if (!isObject(value) || !isObject(chosen)) return chosen === undefined ? undefined : value;
  return Object.fromEntries(
    Object.entries(chosen).map(([name, inner]) => [name, pickChosen(value[name], inner)]),
  );
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
