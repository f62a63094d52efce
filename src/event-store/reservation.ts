import { hash } from 'node:crypto';
import type { CommandContext } from '../kernel/scope';

/**
 * Creates the context in which a command reserves a place or a name in a stream of its own. The
 * same seed gives the same command id, so a repeated command keeps its reservation.
 */
export const createReservationContext = <Context extends CommandContext>(
  context: Context,
  seed: string,
): Omit<Context, 'expectedSequence'> => {
  // `If-Match` applies to the object of the command, not to what it reserves.
  const { expectedSequence: _, ...unconditional } = context;
  return { ...unconditional, commandId: hash('sha256', seed).slice(0, 32), resumed: false };
};
