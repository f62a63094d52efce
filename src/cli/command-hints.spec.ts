import { requireActive, requireUndeleted } from '../domain/destinations/destination.decider';
import type { KnownDestination } from '../domain/destinations/destination.decider';
import { suggestTypes } from '../kernel/event-filter';
import { requireSubscriberId } from '../kernel/required-ids';
import { nameCommands } from './command-hints';

const catchMessage = (run: () => unknown): string => {
  try {
    return String(run());
  } catch (error) {
    return (error as Error).message;
  }
};

describe('advice of the service that names a call of the API', () => {
  const known = { deleted: null, disabled: null } as KnownDestination;
  const deleted = { at: 'x', recoverableUntil: 'x' };
  const head = { revision: 0, position: '0' };
  const disabled = { reason: 'gone', at: 'x', head } as const;

  it.each([
    [
      () => {
        requireActive({ ...known, disabled } as KnownDestination);
      },
      'destination enable',
    ],
    [
      () => {
        requireUndeleted({ ...known, deleted } as KnownDestination);
      },
      'destination restore',
    ],
    [() => suggestTypes('x', { knownTypes: [], families: [] }), 'events types'],
    [
      () => {
        requireSubscriberId('own-1', 'subscriberId');
      },
      'subscribers list --external-id',
    ],
  ])('names the command instead (%#)', (run, command) => {
    const message = nameCommands(catchMessage(run));
    expect(message).toContain(`"${command}`);
    expect(message).not.toMatch(/(?:GET|POST|PATCH) /);
  });
});
