import type { Command } from 'commander';
import { parseJsonObject } from './arguments';
import { CallFailed, EXIT } from './failures';
import { KEY_TEXT, findTenant } from './operator';

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
        const { client, show } = findTenant(command);
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
        show(event, ['id', 'type', 'created_at', 'sequence', 'tenant', 'environment']);
      },
    );
};
