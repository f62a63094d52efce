import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { CallFailed } from './failures';
import { findOperator } from './operator';
import { printLine } from './output';
import { StatusLine } from './status-line';

const POLL_MS = 500;
const PATH = '/operator/v1/store';
const FIELDS = ['task', 'status', 'events_removed', 'started_at', 'finished_at'];

export const storeCommands = (program: Command): void => {
  const group = program.command('store').description('the event store of a running service');
  group
    .command('scavenge')
    .description('remove data that was deleted for good, was truncated or has expired')
    .action((_options, command: Command) => maintain(command, 'scavenge'));
  group
    .command('compact')
    .description('scavenge the embedded store, then write a smaller file without the removed data')
    .action((_options, command: Command) => maintain(command, 'compact'));
};

const maintain = async (command: Command, task: 'scavenge' | 'compact'): Promise<void> => {
  const { client, show, asJson } = findOperator(command);
  const line = new StatusLine({ isSilent: asJson });
  let status = await client.change('post', `${PATH}/${task}`, {});
  if (status['task'] !== task)
    throw new CallFailed(
      `A ${String(status['task'])} is running. Repeat the command when it has ended.`,
    );
  while (status['status'] === 'running') {
    await delay(POLL_MS);
    status = await client.get(PATH);
    const percent = typeof status['percent'] === 'number' ? `  ${status['percent']} %` : '';
    line.show(`${String(status['status'])}${percent}`);
  }
  line.end();
  if (status['status'] === 'failed') throw new CallFailed(String(status['error']));
  show(status, FIELDS);
};

export const addErasureCommands = (program: Command): void => {
  program
    .command('erasure')
    .description('erased subscribers')
    .command('verify')
    .argument('<subscriber>', 'id of an erased subscriber')
    .description(
      'search for data that the erasure should have removed; exit code 1 if any is found',
    )
    .action(async (subscriber: string, _options, command: Command) => {
      const { client, show, asJson } = findOperator(command);
      const check = await client.get(`/operator/v1/erasures/${encodeURIComponent(subscriber)}`);
      const findings = check['findings'] as readonly { place: string; found: string }[];
      show(check, ['subscriber_id', 'complete']);
      if (!asJson) for (const { place, found } of findings) printLine(`${place}: ${found}`);
      if (findings.length > 0)
        throw new CallFailed(
          `${findings.length} places still have data that should be gone. The lines above say what to do.`,
        );
    });
};
