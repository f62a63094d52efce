import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addAnalyticsCommands } from './analytics';
import { addBackupCommands } from './backup';
import { addCompletionCommand } from './completion';
import { HELP_HINT, SuggestingCommand } from './command';
import { addConsoleCommands } from './console';
import { addDeliveriesCommands } from './deliveries';
import { addDestinationCommands } from './destinations';
import { addEventsCommands } from './events';
import { completeHelp, HELP_LAYOUT } from './help';
import { addImportCommand } from './import';
import { addKeyCommands } from './keys';
import { addListenCommand } from './listen';
import { addMasterKeyCommands } from './master-key';
import { addQuickstartCommand } from './quickstart';
import { addTriggerCommand } from './trigger';
import { addMetricsCommands } from './metrics';
import { addOperatorTokenCommands } from './operator-tokens';
import { addRebuildCommand } from './rebuild';
import { replayCommands } from './replays';
import { addErasureCommands, storeCommands } from './store';
import { addSubscribersCommands } from './subscribers';
import { addTenantCommands } from './tenants';
import { addVerifyCommand } from './verify';

const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

const groups = [
  addQuickstartCommand,
  addListenCommand,
  addTriggerCommand,
  addEventsCommands,
  addDeliveriesCommands,
  addSubscribersCommands,
  addMetricsCommands,
  addConsoleCommands,
  addTenantCommands,
  addKeyCommands,
  addOperatorTokenCommands,
  addDestinationCommands,
  replayCommands,
  addRebuildCommand,
  addAnalyticsCommands,
  addVerifyCommand,
  addImportCommand,
  addMasterKeyCommands,
  addBackupCommands,
  storeCommands,
  addErasureCommands,
  addCompletionCommand,
];

interface ProgramOptions {
  /** True if usage errors and the help after them must not be printed as text. */
  readonly isQuiet?: boolean;
  /** Called with parts of the help and with the version. Without it they are printed as text. */
  readonly onText?: (text: string) => void;
  /** Called with the command that is about to run. */
  readonly onRun?: (command: Command) => void;
}

/** Builds the command line, a thin client over the API. */
export const buildProgram = ({
  isQuiet = false,
  onText = (text) => process.stdout.write(text),
  onRun = () => undefined,
}: ProgramOptions = {}): Command => {
  const program = new SuggestingCommand('npm run cli --')
    .description('Operate a running Subscription Event and Management Service.')
    .version(version)
    .exitOverride()
    .configureHelp(HELP_LAYOUT)
    .configureOutput({
      writeOut: onText,
      writeErr: (text) => isQuiet || process.stderr.write(text),
    })
    .showHelpAfterError(HELP_HINT)
    .hook('preAction', (_program, command) => {
      onRun(command);
    })
    .option(
      '--service <url>',
      'address of the service (default: SERVICE_URL, else the service that runs on DATA_DIR)',
    )
    .option(
      '--token <token>',
      'operator token (default: OPERATOR_TOKEN, else the file in DATA_DIR)',
    )
    .option('--json', 'print the response of the service as JSON, and errors as JSON to stderr');
  for (const add of groups) add(program);
  completeHelp(program);
  return program;
};
