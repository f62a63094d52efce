import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyticsCommands } from './analytics';
import { backupCommands } from './backup';
import { completionCommand } from './completion';
import { consoleCommands } from './console';
import { deliveriesCommands } from './deliveries';
import { destinationCommands } from './destinations';
import { eventsCommands } from './events';
import { importCommand } from './import';
import { keyCommands } from './keys';
import { listenCommand } from './listen';
import { masterKeyCommands } from './master-key';
import { quickstartCommand } from './quickstart';
import { triggerCommand } from './trigger';
import { operatorTokenCommands } from './operator-tokens';
import { rebuildCommand } from './rebuild';
import { replayCommands } from './replays';
import { erasureCommands, storeCommands } from './store';
import { subscribersCommands } from './subscribers';
import { tenantCommands } from './tenants';
import { findServiceAddress } from './service-address';
import { verifyCommand } from './verify';

const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

const groups = [
  quickstartCommand,
  listenCommand,
  triggerCommand,
  eventsCommands,
  deliveriesCommands,
  subscribersCommands,
  consoleCommands,
  tenantCommands,
  keyCommands,
  operatorTokenCommands,
  destinationCommands,
  replayCommands,
  rebuildCommand,
  analyticsCommands,
  verifyCommand,
  importCommand,
  masterKeyCommands,
  backupCommands,
  storeCommands,
  erasureCommands,
  completionCommand,
];

/** Builds the command line, a thin client over the API. */
export const buildProgram = (): Command => {
  const program = new Command('npm run cli --')
    .description('Operate a running Subscription Event and Management Service.')
    .version(version)
    .exitOverride()
    .option(
      '--service <url>',
      'where the service listens (default: SERVICE_URL, else the service that runs on DATA_DIR)',
      findServiceAddress(process.env),
    )
    .option(
      '--token <token>',
      'operator token (default: OPERATOR_TOKEN, else the file in DATA_DIR)',
    )
    .option('--json', 'print what the service answered, as JSON');
  for (const add of groups) add(program);
  return program;
};
