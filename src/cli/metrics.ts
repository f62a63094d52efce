import type { Command } from 'commander';
import { CallFailed } from './failures';
import { KEY_TEXT, findTenant } from './operator';

type Json = Record<string, unknown>;

const PATH = '/v1/metrics';

interface SeriesOptions {
  readonly key?: string;
  readonly window?: string;
  readonly granularity?: string;
}

/** Names the command that lists the metrics, if there is no metric of this name. */
const addMetricHint = (error: unknown): unknown =>
  error instanceof CallFailed && error.apiError?.param === 'metric'
    ? error.withAdvice('"metrics list" shows all metrics.')
    : error;

export const addMetricsCommands = (program: Command): void => {
  const metrics = program.command('metrics').description("the metrics of a tenant's environment");

  metrics
    .command('list')
    .option('--key <key>', KEY_TEXT)
    .description('list the metrics with their definitions')
    .action(async (_options, command: Command) => {
      const { client, showList } = findTenant(command);
      await showList(client.list(PATH), ['metric', 'unit', 'formula']);
    });

  metrics
    .command('get')
    .argument('<metric>', 'name of a metric ("metrics list" shows them)')
    .option('--key <key>', KEY_TEXT)
    .option('--window <window>', 'for example last_7d or last_12mo (default: last_30d)')
    .option('--granularity <step>', 'day, week or month (default: day)')
    .description('show the values of a metric')
    .action(async (name: string, { key: _, ...query }: SeriesOptions, command: Command) => {
      const { client, show, showList, asJson } = findTenant(command);
      const series = await client
        .get(`${PATH}/${encodeURIComponent(name)}`, query)
        .catch((error: unknown) => {
          throw addMetricHint(error);
        });
      if (asJson) {
        show(series, []);
        return;
      }
      show(series, ['metric', 'unit', 'currency', 'computed_at']);
      await showList(series['points'] as Json[], ['timestamp', 'value', 'partial']);
    });
};
