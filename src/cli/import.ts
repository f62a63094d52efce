import type { Command } from 'commander';
import { createReadStream, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client';
import { CallFailed, createOwnError, EXIT } from './failures';
import { KEY_TEXT, findTenant } from './operator';
import { formatTable } from './output';
import { formatBar } from './progress';
import { StatusLine } from './status-line';

const POLL_MS = 500;
const ERRORS_SHOWN = 20;

interface ImportOptions {
  readonly key?: string;
  readonly deliver?: true;
}

type Json = Record<string, unknown>;

export const addImportCommand = (program: Command): void => {
  program
    .command('import')
    .argument('<file>', 'one JSON object per line; see POST /v1/imports in the API reference')
    .option('--key <key>', KEY_TEXT)
    .option('--deliver', 'deliver the imported history to destinations')
    .description('import subscribers, subscriptions and past payments')
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const { client, show, asJson } = findTenant(command);
      const line = new StatusLine({ isSilent: asJson });
      const started = await upload(client, line, file, options.deliver === true);
      const ended = await follow(client, line, started);
      show(ended, ['id', 'status', 'lines_total', 'lines_ok', 'lines_failed']);
      await reportLines(client, ended, asJson);
      if (ended['status'] !== 'completed') process.exitCode = EXIT.failed;
    });
};

const upload = async (
  client: Client,
  line: StatusLine,
  file: string,
  deliver: boolean,
): Promise<Json> => {
  const total = findSize(file);
  const open = (): Readable => {
    let sent = 0;
    return createReadStream(file).on('data', (chunk) => {
      sent += chunk.length;
      draw(line, 'uploading', sent, total);
    });
  };
  return client.upload(`/v1/imports?deliver=${deliver}`, open).finally(() => {
    line.end();
  });
};

const findSize = (file: string): number => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new CallFailed(`There is no file ${file}.`, EXIT.usage);
  if (found.isDirectory()) {
    throw new CallFailed(
      `${file} is a directory. Name a file with one object per line.`,
      EXIT.usage,
    );
  }
  return found.size;
};

const follow = async (client: Client, line: StatusLine, started: Json): Promise<Json> => {
  let state = started;
  while (state['status'] === 'queued' || state['status'] === 'in_progress') {
    await delay(POLL_MS);
    state = await client.get(`/v1/imports/${String(started['id'])}`);
    const done = Number(state['lines_ok']) + Number(state['lines_failed']);
    draw(line, 'importing', done, Number(state['lines_total']));
  }
  line.end();
  return state;
};

const draw = (line: StatusLine, what: string, done: number, total: number): void => {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  line.show(`${what} ${Math.floor(share * 100)} %`, formatBar(share));
};

/** Prints the first lines that failed. With `--json` they become an error like those of the API. */
const reportLines = async (client: Client, job: Json, asJson: boolean): Promise<void> => {
  const { id, lines_failed, lines_total } = job;
  if (Number(lines_failed) === 0) return;
  const { data } = await client.get(`/v1/imports/${String(id)}/errors`, { limit: ERRORS_SHOWN });
  if (asJson) {
    const message = `${String(lines_failed)} of ${String(lines_total)} lines failed.`;
    const error = createOwnError('lines_failed', message, data as []);
    throw new CallFailed(message, EXIT.failed, error);
  }
  const rows = (data as Record<string, string | number | null>[]).map((each) =>
    ['line', 'code', 'param', 'message'].map((name) => String(each[name] ?? '')),
  );
  process.stderr.write(`${formatTable([['line', 'code', 'param', 'message'], ...rows])}\n`);
  const more = Number(lines_failed) - rows.length;
  if (more > 0) process.stderr.write(`… and ${more} more: GET /v1/imports/${String(id)}/errors\n`);
};
