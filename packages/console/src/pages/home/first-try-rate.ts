import type { DestinationHealth } from '@subscription-event-service/sdk';
import { formatShare } from '../../ui/format';

export const addUp = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0);

/**
 * Returns the share of events that were delivered at the first try, among those of the last 24 hours
 * and all that wait. Otherwise it would look perfect beside a destination that is down, which holds
 * back what it has not tried.
 */
export const formatFirstTryRate = (all: readonly DestinationHealth[]): string => {
  const atOnce = all.map(
    ({ last_24_hours: { delivered, failed, pending, first_try_rate: rate } }) =>
      (rate ?? 0) * (delivered + failed + pending),
  );
  const counted = all.map(
    ({ waiting, last_24_hours: { delivered, failed } }) => delivered + failed + waiting,
  );
  return addUp(counted) === 0 ? '–' : formatShare(addUp(atOnce) / addUp(counted));
};
