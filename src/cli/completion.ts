import { Argument, type Command, type Option } from 'commander';
import { createRequire } from 'node:module';
import { printLine } from './output';

const SHELLS = ['bash', 'zsh'] as const;
type Shell = (typeof SHELLS)[number];
/** The program whose arguments the shell completes. A shell cannot complete `npm run cli --`. */
const PROGRAM_NAME = 'subscription-events';
const FUNCTION_NAME = '_subscription_events';

export const addCompletionCommand = (program: Command): void => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(SHELLS))
    .description(`print a script that completes the commands of ./bin/${PROGRAM_NAME}`)
    .addHelpText('after', `\nUse it in this shell: source <(./bin/${PROGRAM_NAME} completion bash)`)
    .action((shell: Shell) => {
      printLine(createScript(shell, listPlaces(program, loadNames())));
    });
};

/** The names that are arguments of commands. */
interface Names {
  readonly eventTypes: readonly string[];
  readonly metrics: readonly string[];
}

/** Loads the names only for this command: the other commands need none of this code. */
const load = createRequire(__filename);

const loadNames = (): Names => {
  const { deliverableEvents } = load(
    '../domain/subscriber-stream/subscriber.aggregate',
  ) as typeof import('../domain/subscriber-stream/subscriber.aggregate');
  const { METRIC_NAMES } = load(
    '../features/metrics/catalogue',
  ) as typeof import('../features/metrics/catalogue');
  return { eventTypes: Object.keys(deliverableEvents), metrics: METRIC_NAMES };
};

/** Returns the values of an option. Undefined if it takes none, and empty if they are not known. */
const listValues = (
  { long, argChoices, required, optional }: Option,
  names: Names,
): readonly string[] | undefined => {
  if (!required && !optional) return undefined;
  return argChoices ?? (long === '--events' ? names.eventTypes : []);
};

/** Returns the words that a command takes as arguments, as far as they are known. */
const listArguments = (
  { registeredArguments }: Command,
  path: string,
  names: Names,
): readonly string[] => {
  if (path === ' metrics get') return names.metrics;
  if (path === ' trigger') return names.eventTypes;
  return registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
};

/**
 * A command and the words that may follow it: `tenant` is followed by `create`, `list` and its
 * options.
 */
interface Place {
  readonly path: string;
  readonly words: readonly string[];
  /** The words that are subcommands. Each has an entry of its own. */
  readonly commands: readonly string[];
  /** The options that take a value, with the values that are known. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const listPlaces = (command: Command, names: Names, path = ''): Place[] => {
  const commands = command.commands.map((each) => each.name());
  const options = command.options.flatMap(({ long }) => (long == null ? [] : [long]));
  const inherited = path === '' ? [] : ['--json', '--service', '--token'];
  const own = listArguments(command, path, names);
  const words = [...commands, ...own, ...new Set([...options, ...inherited, '--help'])];
  const values = new Map<string, readonly string[]>();
  for (const option of command.options) {
    const each = listValues(option, names);
    if (each !== undefined && option.long != null) values.set(option.long, each);
  }
  return [
    { path, words, commands, values },
    ...command.commands.flatMap((each) => listPlaces(each, names, `${path} ${each.name()}`)),
  ];
};

const createScript = (shell: Shell, places: readonly Place[]): string => {
  const steps = places.flatMap(({ path, commands }) =>
    commands.map((name) => `      '${path}|${name}') place='${path} ${name}' ;;`),
  );
  const words = places.map(
    ({ path, words: each }) => `    '${path}') choices='${each.join(' ')}' ;;`,
  );
  const values = places.flatMap(({ path, values: each }) =>
    [...each].map(([option, list]) => `    '${path}|${option}') choices='${list.join(' ')}' ;;`),
  );
  const zsh = shell === 'zsh';
  return [
    ...(zsh ? [`#compdef ${PROGRAM_NAME}`] : [`# source <(./bin/${PROGRAM_NAME} completion bash)`]),
    `${FUNCTION_NAME}() {`,
    "  local place='' before='' word choices",
    zsh
      ? '  for word in "${(@)words[2,CURRENT-1]}"; do'
      : '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$place|$word" in',
    ...steps,
    '    esac',
    '    before="$word"',
    '  done',
    '  case "$place" in',
    ...words,
    '  esac',
    // After an option that takes a value, only its values are offered.
    '  case "$place|$before" in',
    ...values,
    "    *'|--service'|*'|--token') choices='' ;;",
    '  esac',
    ...(zsh
      ? ['  compadd -- ${=choices}']
      : ['  COMPREPLY=($(compgen -W "$choices" -- "${COMP_WORDS[COMP_CWORD]}"))']),
    '}',
    zsh
      ? `compdef ${FUNCTION_NAME} ${PROGRAM_NAME}`
      : `complete -F ${FUNCTION_NAME} ${PROGRAM_NAME}`,
  ].join('\n');
};
