import { type Command, Option } from 'commander';
import { MEMBER_ROLES, OPERATOR_ROLES } from '../domain/members/member.roles';
import { findOperator } from './operator';
import { printLine } from './output';

export const addConsoleCommands = (program: Command): void => {
  const group = program.command('console').description('the web console');

  group
    .command('link')
    .option(
      '--tenant <tenant>',
      'the dashboard of this tenant; without it, the console of operators',
    )
    .addOption(
      new Option(
        '--role <role>',
        'role of the tenant (default: owner); without --tenant, operator (default) or operator_viewer',
      ).choices([...MEMBER_ROLES, ...OPERATOR_ROLES]),
    )
    .description('create a link that signs in once, within ten minutes')
    .action(async ({ tenant, role }: { tenant?: string; role?: string }, command: Command) => {
      const { client, show, asJson } = findOperator(command);
      const body = {
        ...(tenant === undefined ? {} : { tenant_id: tenant }),
        ...(role === undefined ? {} : { role }),
      };
      const link = await client.change('post', '/operator/v1/console_links', body);
      if (asJson) show(link, ['url', 'expires_at']);
      else
        printLine(
          `${String(link['url'])}\n\nIt signs in once, until ${String(link['expires_at'])}.`,
        );
    });
};
