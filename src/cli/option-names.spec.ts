import type { Command } from 'commander';
import { findMeantOption } from './option-names';
import { buildProgram } from './program';

const find = (path: string): Command => {
  let command: Command = buildProgram({ isQuiet: true });
  for (const name of path.split(' ')) {
    const child = command.commands.find((each) => each.name() === name);
    if (child === undefined) throw new Error(`no command ${path}`);
    command = child;
  }
  return command;
};

describe('the suggestion for an unknown option', () => {
  it.each([
    ['destination create', '--privacy-mode', '--pii'],
    ['destination create', '--pii_mode', '--pii'],
    ['destination create', '--event-types', '--events'],
    ['destination create', '--env', '--environment'],
    ['events list', '--type', '--events'],
    ['events list', '--event-types', '--events'],
    ['events list', '--subscriber-id', '--subscriber'],
    ['events list', '--created-after', '--from'],
    ['events list', '--limt', '--limit'],
    ['replay create', '--retry', '--retry-of'],
    ['key create', '--ips', '--allowed-ips'],
    ['events list', '--tokn', '--token'],
  ])('of "%s" for %s is %s', (path, typed, meant) => {
    expect(findMeantOption(find(path), typed)).toBe(meant);
  });

  it('is none if the option resembles no other', () => {
    expect(findMeantOption(find('destination create'), '--colour')).toBeUndefined();
  });
});
