import { type Command, CommanderError } from 'commander';
import { HELP_HINT } from './command';
import { type ApiError, CallFailed, createOwnError, EXIT } from './failures';
import { nameCommands } from './command-hints';
import { findOptionOf, nameOption } from './option-names';

/** Codes of errors that the command line itself finds, by exit code. Used with `--json` only. */
const CODES_BY_EXIT_CODE: Readonly<Record<number, string>> = {
  [EXIT.usage]: 'usage',
  [EXIT.unreachable]: 'service_unreachable',
  [EXIT.credential]: 'credential_missing',
};

const WRONG_INPUT = 400;

/** The beginning of the text of a usage error, which is not part of its JSON. */
const ERROR_PREFIX = /^error: /;

interface Circumstances {
  /** The command that ran; undefined if the arguments name none. */
  readonly command: Command | undefined;
  readonly asJson: boolean;
  readonly write: (text: string) => void;
}

/** Prints an error as text or as JSON. Returns the exit code. */
export const reportError = (error: unknown, circumstances: Circumstances): number => {
  const { command, asJson, write } = circumstances;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // The library commander has already printed its own message or the help as text.
    if (asJson) write(formatJson(describeUsage(error), EXIT.usage));
    return EXIT.usage;
  }
  const failure = error instanceof CallFailed ? error : new CallFailed(String(error));
  const { message, exitCode } = nameOptions(failure, command);
  const advice = failure.advice === null ? '' : `\n${failure.advice}`;
  const text = `${nameCommands(message)}${advice}`;
  const hint = exitCode === EXIT.usage ? `${HELP_HINT}\n` : '';
  write(asJson ? formatJson(text, exitCode, failure.apiError) : `${text}\n${hint}`);
  return exitCode;
};

const describeUsage = ({ code, message }: CommanderError): string =>
  code === 'commander.help'
    ? 'The name of a command is missing. --help lists the commands.'
    : message;

/** Formats an error as the API does: its own error object, unchanged, if there is one. */
const formatJson = (
  message: string,
  exitCode: number,
  apiError: ApiError | null = null,
): string => {
  const text = message.replace(ERROR_PREFIX, '');
  const own = createOwnError(CODES_BY_EXIT_CODE[exitCode] ?? 'failed', text);
  return `${JSON.stringify({ error: apiError ?? own }, null, 2)}\n`;
};

/** Formats the version or the help of a command, with which commander ends the program, as JSON. */
export const formatTextAsJson = (text: string, end: unknown): string => {
  const isVersion = end instanceof CommanderError && end.code === 'commander.version';
  return JSON.stringify({ [isVersion ? 'version' : 'help']: text.trimEnd() }, null, 2);
};

/**
 * Names options instead of fields in the message of the service. If the service refuses the value
 * of an option, the error is one of usage, as for a value that the command itself refuses.
 */
const nameOptions = (
  { message, exitCode, apiError, status }: CallFailed,
  command: Command | undefined,
): { readonly message: string; readonly exitCode: number } => {
  if (apiError === null || command === undefined) return { message, exitCode };
  const faults = listFaults(apiError).map((fault) => ({
    ...fault,
    option: fault.param === null ? undefined : findOptionOf(command, fault.param),
  }));
  const [first] = faults;
  if (first?.option === undefined) return { message, exitCode };
  const texts = faults.map(({ option, param, message: text }) =>
    option === undefined || param === null ? text : nameOption(text, param, option),
  );
  const text = [...new Set(texts)].join('\n');
  // With this status the value is wrong by itself, whatever the state of the service is.
  return status === WRONG_INPUT
    ? { message: `error: ${text}`, exitCode: EXIT.usage }
    : { message: `${text} (${apiError.code})`, exitCode };
};

const listFaults = ({ param, message, errors = [] }: ApiError) =>
  errors.length > 0 ? errors : [{ param, message }];
