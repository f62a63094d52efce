import type { Command } from 'commander';
import { CallFailed, EXIT } from './failures';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Options that people also set in their `.npmrc`. A value of one of them does not show that it was
 * given in this call.
 */
const OPTIONS_OF_NPM = new Set(['--force', '--key', '--tag', '--version']);

/**
 * Throws if npm has taken options for itself. It does so without `--`, as in
 * `npm run cli listen --forward 4000`, and the command would run without them.
 */
export const requireDashes = (program: Command, env: Env): void => {
  if (env['npm_lifecycle_event'] !== 'cli') return;
  const taken = [...new Set(listOptions(program))].filter(
    (option) => !OPTIONS_OF_NPM.has(option) && env[nameVariable(option)] !== undefined,
  );
  if (taken.length === 0) return;
  throw new CallFailed(
    `error: npm has taken ${taken.join(', ')} for itself. Write -- before the command: npm run cli -- …`,
    EXIT.usage,
  );
};

const listOptions = (command: Command): string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...command.commands.flatMap(listOptions),
];

/** Returns the variable in which npm passes an option on: `npm_config_dry_run` for `--dry-run`. */
const nameVariable = (option: string): string =>
  `npm_config_${option.replace(/^--(no-)?/, '').replaceAll('-', '_')}`;
