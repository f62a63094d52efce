import { createSystemOrigin, type CommandContext } from '../kernel/scope';
import type { Clock } from '../kernel/time';
import { createEntropy, newCommandId } from './entropy';

/**
 * Creates the context of a command that the service itself gives. `part` names the part of the
 * service that acts, for the audit log.
 */
export const createSystemContext = (part: string, clock: Clock): CommandContext => {
  const commandId = newCommandId();
  return {
    commandId,
    now: clock.now(),
    actor: 'system',
    origin: createSystemOrigin(part),
    entropy: createEntropy(commandId),
    resumed: false,
    wrote: () => undefined,
  };
};
