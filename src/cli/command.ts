import { Command } from 'commander';
import { findMeantOption } from './option-names';

/** A line that follows every error of usage. */
export const HELP_HINT = 'Add --help to see the arguments and an example.';

/** A command that also suggests options by the words of the API. Its subcommands do so, too. */
export class SuggestingCommand extends Command {
  override createCommand(name?: string): SuggestingCommand {
    return new SuggestingCommand(name);
  }

  /** Overrides a method of the library that its types do not declare. */
  unknownOption(flag: string): void {
    const meant = findMeantOption(this, flag);
    const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
    this.error(`error: unknown option '${flag}'${hint}`, { code: 'commander.unknownOption' });
  }
}
