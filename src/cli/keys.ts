import type { Command } from 'commander';
import { createEnvironmentOption, parseList, parseNumber } from './arguments';
import { createExpiry, createExpiryOption, type ExpiryOption } from './expiry';
import { findOperator } from './operator';
import { printLine } from './output';

const FIELDS = [
  'id',
  'environment',
  'name',
  'key',
  'last4',
  'created_at',
  'expires_at',
  'scopes',
  'allowed_ips',
];

interface CreateOptions extends ExpiryOption {
  readonly environment: string;
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly allowedIps?: readonly string[];
}

/** Returns the name of a preset alone, and other names as a list of scopes. */
const readPreset = (names: readonly string[]): string | readonly string[] => {
  const [first] = names;
  return names.length === 1 && (first === 'full' || first === 'read_only') ? first : names;
};

const LIST_COLUMNS = [
  'id',
  'environment',
  'name',
  'last4',
  'last_used_at',
  'expires_at',
  'revoked_at',
  'allowed_ips',
  'scopes',
];

const KEEP_KEY = '\nKeep the key: it is not shown again.';

const createPath = (tenant: string): string => `/operator/v1/tenants/${tenant}/api-keys`;

export const addKeyCommands = (program: Command): void => {
  const key = program.command('key').description("a tenant's API keys");

  key
    .command('create')
    .argument('<tenant>')
    .addOption(createEnvironmentOption().makeOptionMandatory())
    .requiredOption('--name <name>', 'a name by which people recognize the key')
    .option(
      '--scopes <scopes>',
      'full (default), read_only, or scopes separated by commas, for example events:read',
      parseList,
    )
    .option(
      '--allowed-ips <list>',
      'addresses and CIDR ranges from which it may be used, separated by commas',
      parseList,
    )
    .addOption(createExpiryOption())
    .description('issue a key; its text is shown once')
    .action(async (tenant: string, options: CreateOptions, command: Command) => {
      const { client, show, asJson } = findOperator(command);
      const { environment, name, scopes, allowedIps } = options;
      const body = {
        environment,
        name,
        ...(scopes === undefined ? {} : { scopes: readPreset(scopes) }),
        ...(allowedIps === undefined ? {} : { allowed_ips: allowedIps }),
        ...createExpiry(options),
      };
      show(await client.change('post', createPath(tenant), body), FIELDS);
      if (!asJson) printLine(KEEP_KEY);
    });

  key
    .command('list')
    .argument('<tenant>')
    .description('list keys')
    .action(async (tenant: string, _options, command: Command) => {
      const { client, showList } = findOperator(command);
      await showList(client.list(createPath(tenant)), LIST_COLUMNS);
    });

  addEndingCommands(key);
};

const addEndingCommands = (key: Command): void => {
  key
    .command('rotate')
    .argument('<tenant>')
    .argument('<key>')
    .option('--overlap-hours <hours>', 'hours for which the old key still works', parseNumber, 24)
    .addOption(createExpiryOption('when the successor expires'))
    .description('issue a successor of a key; its text is shown once')
    .action(
      async (
        tenant: string,
        id: string,
        options: ExpiryOption & { overlapHours: number },
        command: Command,
      ) => {
        const { client, show, asJson } = findOperator(command);
        const body = { overlap_hours: options.overlapHours, ...createExpiry(options) };
        show(await client.change('post', `${createPath(tenant)}/${id}/rotate`, body), FIELDS);
        if (!asJson) printLine(KEEP_KEY);
      },
    );

  key
    .command('revoke')
    .argument('<tenant>')
    .argument('<key>')
    .description('revoke a key at once')
    .action(async (tenant: string, id: string, _options, command: Command) => {
      const { client, show } = findOperator(command);
      show(await client.change('delete', `${createPath(tenant)}/${id}`), [
        'id',
        'name',
        'revoked_at',
      ]);
    });
};
