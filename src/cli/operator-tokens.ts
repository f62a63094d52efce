import type { Command } from 'commander';
import { parseNumber } from './arguments';
import { createExpiry, createExpiryOption, type ExpiryOption } from './expiry';
import { findOperator } from './operator';
import { printLine } from './output';

const PATH = '/operator/v1/operator_tokens';
const FIELDS = ['id', 'name', 'token', 'created_at', 'expires_at'];
const LIST_COLUMNS = ['id', 'name', 'last4', 'created_at', 'expires_at', 'revoked_at'];

export const addOperatorTokenCommands = (program: Command): void => {
  const token = program
    .command('operator-token')
    .description('tokens for the operator API, one for each person or machine');

  token
    .command('create')
    .requiredOption('--name <name>', 'the owner of the token; the audit log shows this name')
    .addOption(createExpiryOption())
    .description('create a token; it is shown once (needs the root token)')
    .action(async (options: ExpiryOption & { readonly name: string }, command: Command) => {
      const { client, show, asJson } = findOperator(command);
      show(
        await client.change('post', PATH, { name: options.name, ...createExpiry(options) }),
        FIELDS,
      );
      if (!asJson) printLine('\nKeep the token: it is not shown again.');
    });

  token
    .command('list')
    .description('list tokens')
    .action(async (_options, command: Command) => {
      const { client, showList } = findOperator(command);
      await showList(client.list(PATH), LIST_COLUMNS);
    });

  token
    .command('rotate')
    .argument('<token-id>')
    .option('--overlap-hours <hours>', 'hours for which the old token still works', parseNumber, 24)
    .addOption(createExpiryOption('when the successor expires'))
    .description('create a successor with the same name (needs the root token)')
    .action(
      async (
        id: string,
        options: ExpiryOption & { readonly overlapHours: number },
        command: Command,
      ) => {
        const { client, show, asJson } = findOperator(command);
        const body = { overlap_hours: options.overlapHours, ...createExpiry(options) };
        show(await client.change('post', `${PATH}/${id}/rotate`, body), FIELDS);
        if (!asJson) printLine('\nKeep the token: it is not shown again.');
      },
    );

  token
    .command('revoke')
    .argument('<token-id>')
    .description('revoke a token at once (needs the root token)')
    .action(async (id: string, _options, command: Command) => {
      const { client, show } = findOperator(command);
      show(await client.change('delete', `${PATH}/${id}`), ['id', 'name', 'revoked_at']);
    });
};
