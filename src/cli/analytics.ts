import { Argument, type Command, Option } from 'commander';
import { createEnvironmentOption } from './arguments';
import { formatCsvCell } from './csv';
import { findTenantOrDefault } from './default-tenant';
import { findOperator } from './operator';
import { printLine } from './output';

type Json = Record<string, unknown>;

/** The views that GET /operator/v1/exports has. */
const VIEWS = [
  'subscribers',
  'subscriptions',
  'tickets',
  'events',
  'payments',
  'payment_events',
  'cohort_members',
  'motion_runs',
  'daily_counts',
  'daily_durations',
];
const FORMATS = ['csv', 'ndjson'];

export const addAnalyticsCommands = (program: Command): void => {
  program
    .command('analyst')
    .description('database roles for analysts')
    .command('create')
    .argument('<name>', 'name of the database role')
    .option('--tenant <tenant>', 'the only tenant that the analyst may see (default: all)')
    .description('create a database role that may read the schema analytics (with DATABASE_URL)')
    .action(async (name: string, { tenant }: { tenant?: string }, command: Command) => {
      const { client, show } = findOperator(command);
      const created = await client.change('post', '/operator/v1/analysts', {
        name,
        ...(tenant === undefined ? {} : { tenant_id: tenant }),
      });
      show(created, ['name', 'password', 'host', 'port', 'database']);
    });

  program
    .command('export')
    .addArgument(new Argument('<view>', 'what to write').choices(VIEWS))
    .option(
      '--tenant <tenant>',
      'the tenant whose rows are written (default: that of API_KEY, else of "quickstart")',
    )
    .addOption(
      createEnvironmentOption(
        'the environment (default: live with --tenant, else that of API_KEY or "quickstart")',
      ),
    )
    .addOption(
      new Option('--format <format>', 'format of the output').choices(FORMATS).default('ndjson'),
    )
    .description('write the rows of a tenant to standard output (docs/analytics.md describes them)')
    .action(exportView);
};

interface ExportOptions {
  readonly tenant?: string;
  readonly environment?: string;
  readonly format: string;
}

const exportView = async (
  view: string,
  { tenant: given, environment: chosen, format }: ExportOptions,
  command: Command,
): Promise<void> => {
  const { client, asJson } = findOperator(command);
  const { tenant: tenant_id, environment: usual } = await findTenantOrDefault(client, given);
  const environment = chosen ?? usual;
  let rows = 0;
  let after: unknown;
  let header = format === 'csv';
  do {
    const chunk = await client.get('/operator/v1/exports', {
      view,
      tenant_id,
      environment,
      ...(typeof after === 'string' ? { after } : {}),
    });
    for (const row of chunk['data'] as Json[]) {
      rows += 1;
      if (header) printLine(Object.keys(row).join(','));
      header = false;
      printLine(
        format === 'csv' ? Object.values(row).map(formatCsvCell).join(',') : JSON.stringify(row),
      );
    }
    after = chunk['next'];
  } while (typeof after === 'string');
  if (asJson) return;
  process.stderr.write(
    `${rows} ${rows === 1 ? 'row' : 'rows'} of ${view} from the ${environment} environment of ${tenant_id}.\n`,
  );
};
