import type { Command } from 'commander';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RestoreError, restoreBackup } from '../config/backup-files';
import { parseDirectory } from './arguments';
import { CallFailed } from './failures';
import { findOperator } from './operator';
import { printLine } from './output';
import { StatusLine } from './status-line';

const POLL_MS = 250;
const PATH = '/operator/v1/store/backup';
const FIELDS = ['status', 'directory', 'files', 'bytes', 'started_at', 'finished_at'];

interface BackupOptions {
  readonly masterKey: boolean;
}

export const addBackupCommands = (program: Command): void => {
  program
    .command('backup')
    .argument(
      '<directory>',
      'a new or empty directory on the machine of the service, outside of its data directory',
      parseDirectory,
    )
    .option('--no-master-key', 'leave the master key out, to keep it apart from the backup')
    .description('copy the embedded event store and the secrets of a running service')
    .action(backUp);

  program
    .command('restore')
    .argument('<directory>', 'the directory of a backup', parseDirectory)
    .requiredOption(
      '--data-dir <directory>',
      'a new or empty directory for the data, outside of the backup',
      parseDirectory,
    )
    .description('check a backup and copy it into an empty data directory')
    .action(restore);
};

const backUp = async (
  directory: string,
  { masterKey }: BackupOptions,
  command: Command,
): Promise<void> => {
  const { client, show, asJson } = findOperator(command);
  const body = { directory, master_key: masterKey };
  const line = new StatusLine({ isSilent: asJson });
  let status = await client.change('post', PATH, body);
  while (status['status'] === 'running') {
    await delay(POLL_MS);
    status = await client.get(PATH);
    const percent = typeof status['percent'] === 'number' ? ` ${status['percent']} %` : '';
    line.show(`${String(status['status'])}${percent}`);
  }
  line.end();
  if (status['directory'] !== directory) throw new CallFailed(describeRestart(directory));
  if (status['status'] !== 'completed') throw new CallFailed(String(status['error']));
  show(status, FIELDS);
  if (!asJson) printLine(createAdvice(status['files'] as readonly string[]));
};

const describeRestart = (directory: string): string =>
  `The service was started again during the backup, so the backup was cut off. Delete ${directory} and make the backup again.`;

const createAdvice = (files: readonly string[]): string =>
  files.includes('master-key')
    ? 'The backup contains the master key, so its owner can read all personal data in it. Store it safely.'
    : 'Keep the master key somewhere else: without it this backup cannot be read.';

interface RestoreOptions {
  readonly dataDir: string;
}

const getName = ({ name }: { readonly name: string }): string => name;

const restore = async (
  directory: string,
  { dataDir }: RestoreOptions,
  command: Command,
): Promise<void> => {
  const { json: asJson = false } = command.optsWithGlobals<{ json?: true }>();
  try {
    const { created_at, version, files } = await restoreBackup(directory, dataDir);
    if (asJson) {
      const restored = { data_dir: dataDir, created_at, version, files: files.map(getName) };
      printLine(JSON.stringify(restored, null, 2));
      return;
    }
    printLine(`Restored into ${dataDir}: the backup of ${created_at}, made by version ${version}.`);
    if (!files.map(getName).includes('master-key')) {
      printLine(
        `It has no master key: set MASTER_KEY, or put the key into ${join(dataDir, 'master-key')}.`,
      );
    }
    printLine(
      `Start the service with DATA_DIR=${dataDir}. It rebuilds the SQL database from the log.`,
    );
    printLine('Deliveries after the backup are made again, with the same event ids.');
  } catch (error) {
    if (error instanceof RestoreError) throw new CallFailed(error.message);
    throw error;
  }
};
