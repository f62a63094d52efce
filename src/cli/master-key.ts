import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import { resolve } from 'node:path';
import { type Caller, findOperator } from './operator';
import { printLine } from './output';
import { StatusLine } from './status-line';

const POLL_MS = 250;
const PATH = '/operator/v1/master_key';
const FIELDS = ['key_id', 'status', 'previous_key_id', 'rewrapped', 'rotated_at'];

type Json = Record<string, unknown>;

export const addMasterKeyCommands = (program: Command): void => {
  const group = program.command('master-key').description('the key that encrypts all other keys');

  group
    .command('show')
    .description('show which key is current, and whether a rotation is running')
    .action(async (_options, command: Command) => {
      const { client, show } = findOperator(command);
      show(await client.get(PATH), FIELDS);
    });

  group
    .command('rotate')
    .option(
      '--new-key-file <file>',
      'the file of the new key, 32 bytes in base64, which the service can read too (with MASTER_KEY_FILE)',
    )
    .description('replace the master key: encrypts everything with a new one and waits for the end')
    .action(async ({ newKeyFile }: { newKeyFile?: string }, command: Command) => {
      const caller = findOperator(command);
      const { client, show, asJson } = caller;
      const body = newKeyFile === undefined ? {} : { new_key_file: resolve(newKeyFile) };
      const started = await client.change('post', `${PATH}/rotate`, body);
      const ended = await followRotation(caller, started);
      // The number counts the values of the process that answers; another may have done the work.
      const counts = ended['rewrapped'] !== 0;
      show(ended, counts ? FIELDS : FIELDS.filter((each) => each !== 'rewrapped'));
      if (!asJson) printLine(createAdvice(started, newKeyFile));
    });
};

const followRotation = async ({ client, asJson }: Caller, started: Json): Promise<Json> => {
  const line = new StatusLine({ isSilent: asJson });
  let rotation = started;
  while (rotation['status'] === 'rotating') {
    await delay(POLL_MS);
    rotation = await client.get(PATH);
    line.show(`rewrapped ${Number(rotation['rewrapped']).toLocaleString('en')}`);
  }
  line.end();
  return rotation;
};

const createAdvice = ({ previous_key_id: old }: Json, newKeyFile: string | undefined): string =>
  [
    `All data is encrypted with the new key. The service no longer needs the old key (${String(old)}).`,
    ...(newKeyFile === undefined
      ? [
          'Backups from before this moment need the old key. They contain it, unless they were made with --no-master-key.',
        ]
      : [
          'Keep it, apart from the backups, only as long as you keep backups from before this moment.',
          `Before any process starts again, copy the content of ${newKeyFile} to the file that MASTER_KEY_FILE names.`,
        ]),
  ].join('\n');
