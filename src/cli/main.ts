import { Command } from 'commander';
import { analyticsCommands } from './analytics';
import { CallFailed } from './client';
import { destinationCommands } from './destinations';
import { importCommand } from './import';
import { keyCommands } from './keys';
import { rebuildCommand } from './rebuild';
import { replayCommands } from './replays';
import { tenantCommands } from './tenants';
import { verifyCommand } from './verify';

/** The operator's commands: a thin client over the operator API. */
const program = new Command('npm run cli --')
  .description('Operate a running Subscription Event and Management Service.')
  .option(
    '--service <url>',
    'where the service listens',
    process.env['SERVICE_URL'] ?? 'http://127.0.0.1:3000',
  )
  .option('--token <token>', 'operator token (default: OPERATOR_TOKEN, else the file in DATA_DIR)')
  .option('--json', 'print what the service answered, as JSON');

const groups = [
  tenantCommands,
  keyCommands,
  destinationCommands,
  replayCommands,
  rebuildCommand,
  analyticsCommands,
  verifyCommand,
  importCommand,
];
for (const add of groups) add(program);

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof CallFailed ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
