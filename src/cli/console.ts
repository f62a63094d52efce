import type { Command } from 'commander';
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
    .option(
      '--role <role>',
      'owner (default), admin, developer, support, analyst or viewer of the tenant; else operator (default) or operator_viewer',
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
