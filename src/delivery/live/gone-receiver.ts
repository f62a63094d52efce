import { setTimeout as delay } from 'node:timers/promises';
import { warnOfFailure } from '../../event-store/failures';
import type { Clock } from '../../kernel/time';
import type { Outcome } from '../journal/journal';
import type { DeliveryDestination, Destinations } from '../model/destination';
import type { Gates } from '../schedule/gates';
import { addJitter, PAUSE_AFTER_FAILURE_MS } from './many-destinations';

interface GoneParts {
  readonly destinations: Destinations;
  readonly gates: Gates;
  readonly clock: Clock;
}

/**
 * Disables a destination whose receiver answered 410: it wants no more events, live or replayed
 * (D-61). Nothing more is sent from this moment on. The disabling is tried until it is stored or the
 * caller stops, because no later event would cause it again.
 */
export const disableAsGone = (
  { destinations, gates, clock }: GoneParts,
  destination: DeliveryDestination,
  { at, status_code }: Partial<Outcome>,
  isStopping: () => boolean,
): Promise<void> => {
  const facts = { since: at ?? clock.now(), lastStatus: status_code ?? null, lastError: null };
  return gates.gateFor(destination).close(destination.activeSince, async () => {
    while (!isStopping()) {
      try {
        await destinations.disable(destination.id, 'gone', facts);
        return true;
      } catch (error) {
        warnOfFailure('a destination cannot be disabled yet', destination.id, error);
        await delay(addJitter(PAUSE_AFTER_FAILURE_MS));
      }
    }
    return false;
  });
};
