import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { resolve } from 'node:path';
import type { Client } from './client';
import { findOperator } from './operator';
import { say } from './output';

const POLL_MS = 250;
const PATH = '/operator/v1/master_key';
const FIELDS = ['key_id', 'status', 'previous_key_id', 'rewrapped', 'rotated_at'];

type Json = Record<string, unknown>;

export const addMasterKeyCommands = (program: Command): void => {
  const group = program.command('master-key').description('the key that unlocks every other key');

  group
    .command('show')
    .description('show which key is current, and whether a rotation is under way')
    .action(async (_options, command: Command) => {
      const { client, show } = findOperator(command);
      show(await client.get(PATH), FIELDS);
    });

  group
    .command('rotate')
    .option(
      '--new-key-file <file>',
      'the new key, 32 bytes in base64, where the service reads it too (with MASTER_KEY_FILE)',
    )
    .description('replace the master key: puts everything under a new one, then says so')
    .action(async ({ newKeyFile }: { newKeyFile?: string }, command: Command) => {
      const { client, show, asJson } = findOperator(command);
      const body = newKeyFile === undefined ? {} : { new_key_file: resolve(newKeyFile) };
      const started = await client.change('post', `${PATH}/rotate`, body);
      const ended = await followRotation(client, started);
      show(ended, FIELDS);
      if (!asJson) say(createAdvice(started, newKeyFile));
    });
};

const followRotation = async (client: Client, started: Json): Promise<Json> => {
  let rotation = started;
  while (rotation['status'] === 'rotating') {
    await delay(POLL_MS);
    rotation = await client.get(PATH);
    process.stderr.write(`\rrewrapped ${Number(rotation['rewrapped']).toLocaleString('en')} `);
  }
  process.stderr.write('\n');
  return rotation;
};

const createAdvice = ({ previous_key_id: old }: Json, newKeyFile: string | undefined): string =>
  [
    `Everything is under the new key. The old key (${String(old)}) opens nothing in the service any`,
    'more and may go; keep it apart only as long as you keep backups from before this moment.',
    ...(newKeyFile === undefined
      ? []
      : [
          `Put the content of ${newKeyFile} where MASTER_KEY_FILE points before any process starts again.`,
        ]),
  ].join('\n');
