import type { Command } from 'commander';
import { parseJsonObject } from './arguments';
import { CallFailed, EXIT } from './failures';
import { formatNextCommand } from './next-command';
import { findOperator } from './operator';
import { printLine } from './output';

type Json = Record<string, unknown>;

const FIELDS = ['id', 'name', 'status', 'created_at', 'settings'];
const STATUS_FIELDS = ['id', 'name', 'status', 'suspended_at'];

export const addTenantCommands = (program: Command): void => {
  const tenant = program.command('tenant').description('tenants: create, change, suspend, delete');
  addRecordCommands(tenant);
  addLifecycleCommands(tenant);
};

const addRecordCommands = (tenant: Command): void => {
  tenant
    .command('create')
    .argument('<name>')
    .option(
      '--settings <json>',
      'settings that differ from the defaults, for example \'{"alert_emails":["developers@example.com"]}\'',
      parseJsonObject,
    )
    .description('create a tenant')
    .action(async (name: string, { settings }: { settings?: Json }, command: Command) => {
      const { client, show, asJson } = findOperator(command);
      const body = { name, ...(settings === undefined ? {} : { settings }) };
      const created = await client.change('post', '/operator/v1/tenants', body);
      show(created, FIELDS);
      if (asJson) return;
      printLine(
        `\nNext: ${formatNextCommand(`key create ${String(created['id'])} --environment test --name backend`)}`,
      );
    });

  tenant
    .command('list')
    .description('list tenants')
    .action(async (_options, command: Command) => {
      const { client, showList } = findOperator(command);
      await showList(client.list('/operator/v1/tenants'), ['id', 'name', 'status', 'created_at']);
    });

  tenant
    .command('show')
    .argument('<tenant>')
    .description('show a tenant')
    .action(async (id: string, _options, command: Command) => {
      const { client, show } = findOperator(command);
      show(await client.get(`/operator/v1/tenants/${id}`), FIELDS);
    });

  tenant
    .command('set')
    .argument('<tenant>')
    .argument('<settings>', 'JSON, for example \'{"grace_days":7}\'', parseJsonObject)
    .description("change a tenant's settings")
    .action(async (id: string, settings: Json, _options, command: Command) => {
      const { client, show } = findOperator(command);
      show(await client.change('patch', `/operator/v1/tenants/${id}`, { settings }), FIELDS);
    });
};

const addLifecycleCommands = (tenant: Command): void => {
  tenant
    .command('suspend')
    .argument('<tenant>')
    .option('--reason <text>', 'the reason, for the audit log')
    .description('refuse the keys and members of a tenant until it is resumed; nothing is lost')
    .action(async (id: string, { reason }: { reason?: string }, command: Command) => {
      const { client, show } = findOperator(command);
      const body = reason === undefined ? {} : { reason };
      show(await client.change('post', `/operator/v1/tenants/${id}/suspend`, body), STATUS_FIELDS);
    });

  tenant
    .command('resume')
    .argument('<tenant>')
    .description('end the suspension of a tenant')
    .action(async (id: string, _options, command: Command) => {
      const { client, show } = findOperator(command);
      show(await client.change('post', `/operator/v1/tenants/${id}/resume`), STATUS_FIELDS);
    });

  tenant
    .command('delete')
    .argument('<tenant>')
    .requiredOption('--confirm <tenant>', 'the id of the tenant again')
    .description('delete a tenant for good and erase its subscribers; this cannot be undone')
    .action(async (id: string, { confirm }: { confirm: string }, command: Command) => {
      if (confirm !== id) {
        throw new CallFailed(
          `Nothing was deleted: --confirm must be "${id}", the id of the tenant.`,
          EXIT.usage,
        );
      }
      const { client, show } = findOperator(command);
      show(await client.change('delete', `/operator/v1/tenants/${id}`), STATUS_FIELDS);
    });
};
