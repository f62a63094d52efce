import { Command } from 'commander';
import { findMeant } from '../kernel/nearest';
import { findMeantOption } from './option-names';

/** A line that follows every error of usage. */
export const HELP_HINT = 'Add --help to see the arguments and an example.';

/** Other words that people use for a command of a group. */
const COMMANDS_BY_WORD: Readonly<Record<string, readonly string[]>> = {
  add: ['create'],
  get: ['show'],
  ls: ['list'],
  new: ['create'],
  patch: ['set'],
  remove: ['delete', 'revoke'],
  rm: ['delete', 'revoke'],
  stop: ['disable', 'cancel'],
  undelete: ['restore'],
  update: ['set'],
};

/** Returns the command of a group that a wrong name probably means. */
const findMeantCommand = (group: Command | null, name: string): string | undefined => {
  const names = group?.commands.map((each) => each.name()) ?? [];
  return COMMANDS_BY_WORD[name]?.find((each) => names.includes(each)) ?? findMeant(name, names);
};

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

  /**
   * Overrides a method of the library that its types do not declare. A group that runs a command by
   * default passes the name of an unknown command to it, as an argument too many.
   */
  _excessArguments(received: readonly string[]): void {
    const expected = this.registeredArguments.length;
    const [name = ''] = received;
    const meant = findMeantCommand(this.parent, name);
    if (meant !== undefined) this.refuseCommand(name, meant);
    const plural = expected === 1 ? '' : 's';
    this.error(
      `error: too many arguments for '${this.name()}'. Expected ${expected} argument${plural} but got ${received.length}.`,
      { code: 'commander.excessArguments' },
    );
  }

  /** Overrides a method of the library that its types do not declare. */
  unknownCommand(): void {
    const [name = ''] = this.args;
    this.refuseCommand(name, findMeantCommand(this, name));
  }

  /** Overrides a method of the library that its types do not declare: `help <command>`. */
  _dispatchHelpCommand(): void {
    // The first word is "help" itself.
    this.showHelp(this.args.slice(1).filter((word) => !word.startsWith('-')));
  }

  private showHelp([name, ...others]: readonly string[]): never {
    if (name === undefined) this.help();
    const command = this.commands.find((each) => each.name() === name);
    if (command instanceof SuggestingCommand) return command.showHelp(others);
    this.refuseCommand(name, findMeantCommand(this, name));
  }

  private refuseCommand(name: string, meant: string | undefined): never {
    const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
    this.error(`error: unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' });
  }
}
