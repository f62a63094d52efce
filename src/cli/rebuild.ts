import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { CallFailed } from './failures';
import { type Caller, findOperator } from './operator';
import { StatusLine } from './status-line';

const POLL_MS = 500;

export const addRebuildCommand = (program: Command): void => {
  program
    .command('rebuild')
    .argument('[projections...]', 'names of projections (default: all)')
    .description('build read models again from the log, beside the live ones')
    .action(async (projections: string[], _options, command: Command) => {
      const caller = findOperator(command);
      const body = projections.length === 0 ? {} : { projections };
      const rebuild = await followRebuild(caller, body);
      caller.show(rebuild, [
        'id',
        'status',
        'projections',
        'events_projected',
        'started_at',
        'finished_at',
      ]);
    });
};

/** Requests a rebuild and shows its progress until it ends. */
export const followRebuild = async (
  { client, asJson }: Caller,
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const line = new StatusLine({ isSilent: asJson });
  let rebuild = await client.change('post', '/operator/v1/rebuilds', body);
  while (rebuild['status'] === 'queued' || rebuild['status'] === 'in_progress') {
    await delay(POLL_MS);
    rebuild = await client.get(`/operator/v1/rebuilds/${String(rebuild['id'])}`);
    line.show(formatProgress(rebuild));
  }
  line.end();
  if (rebuild['status'] === 'failed') throw new CallFailed(String(rebuild['failure_reason']));
  return rebuild;
};

const formatProgress = (rebuild: Record<string, unknown>): string => {
  const target = Number(rebuild['target_position']);
  const share = target <= 0 ? 0 : Math.min(1, Math.max(0, Number(rebuild['position'])) / target);
  const events = Number(rebuild['events_projected']).toLocaleString('en');
  return `${String(rebuild['status'])}  ${(share * 100).toFixed(0).padStart(3)} %  ${events} events`;
};
