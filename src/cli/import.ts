import type { Command } from 'commander';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CallFailed, type Client, EXIT } from './client';
import { KEY_TEXT, findTenant } from './operator';
import { formatTable } from './output';

const POLL_MS = 500;
const BAR_CHARS = 30;
const ERRORS_SHOWN = 20;

interface ImportOptions {
  readonly key?: string;
  readonly deliver?: true;
}

type Json = Record<string, unknown>;

export const importCommand = (program: Command): void => {
  program
    .command('import')
    .argument('<file>', 'one JSON object per line; see POST /v1/imports in the API reference')
    .option('--key <key>', KEY_TEXT)
    .option('--deliver', 'deliver the imported history to destinations')
    .description('import subscribers, subscriptions and past payments')
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const { client, show } = findTenant(command);
      const ended = await follow(client, await upload(client, file, options.deliver === true));
      show(ended, ['id', 'status', 'lines_total', 'lines_ok', 'lines_failed']);
      await showErrors(client, ended);
      if (ended['status'] !== 'completed') process.exitCode = 1;
    });
};

const upload = async (client: Client, file: string, deliver: boolean): Promise<Json> => {
  if (!existsSync(file)) throw new CallFailed(`There is no file ${file}.`, EXIT.usage);
  const total = statSync(file).size;
  let sent = 0;
  const stream = createReadStream(file).on('data', (chunk) => {
    sent += chunk.length;
    draw('uploading', sent, total);
  });
  const started = await client.upload(`/v1/imports?deliver=${deliver}`, stream);
  process.stderr.write('\n');
  return started;
};

const follow = async (client: Client, started: Json): Promise<Json> => {
  let state = started;
  while (state['status'] === 'queued' || state['status'] === 'in_progress') {
    await delay(POLL_MS);
    state = await client.get(`/v1/imports/${String(started['id'])}`);
    const done = Number(state['lines_ok']) + Number(state['lines_failed']);
    draw('importing', done, Number(state['lines_total']));
  }
  process.stderr.write('\n');
  return state;
};

const draw = (what: string, done: number, total: number): void => {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const bar = '█'.repeat(Math.round(share * BAR_CHARS)).padEnd(BAR_CHARS, '░');
  process.stderr.write(`\r${what} ${bar} ${(share * 100).toFixed(0).padStart(3)} % `);
};

const showErrors = async (client: Client, { id, lines_failed }: Json): Promise<void> => {
  if (Number(lines_failed) === 0) return;
  const { data } = await client.get(`/v1/imports/${String(id)}/errors`, { limit: ERRORS_SHOWN });
  const rows = (data as Record<string, string | number | null>[]).map((each) =>
    ['line', 'code', 'param', 'message'].map((name) => String(each[name] ?? '')),
  );
  process.stderr.write(`${formatTable([['line', 'code', 'param', 'message'], ...rows])}\n`);
  const more = Number(lines_failed) - rows.length;
  if (more > 0) process.stderr.write(`… and ${more} more: GET /v1/imports/${String(id)}/errors\n`);
};
