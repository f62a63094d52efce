import type { ReplayRequest } from '../../domain/replays/replay.events';
import type { EventStoreConnection } from '../../event-store/connection';
import { readFailedEvents, readSubscribers } from '../progress/members';
import type { ReplayTally } from '../progress/replay-tally';
import type { ScanFilter, ScannedEvent } from './scan';
import { createScanFilter, createSelectionPredicate } from './selection';

export type IsSelected = (event: ScannedEvent) => boolean;

/** Creates the filters of a run's scan. They leave out events that an earlier run finished. */
export const createRunFilters = async (
  connection: EventStoreConnection,
  request: ReplayRequest,
  tally: ReplayTally,
): Promise<{ isSelected: IsSelected; filter: ScanFilter }> => {
  const { retry_of: retried } = request;
  const subscriberIds = await readSubscribers(connection, request);
  const eventIds = retried === null ? null : new Set(await readFailedEvents(connection, retried));
  const selected = createSelectionPredicate(request, { eventIds });
  const first = tally.nextRevision;
  return {
    filter: createScanFilter(request, { subscriberIds }),
    isSelected: (event) =>
      event.linkRevision >= first && !tally.isDone(event.linkRevision) && selected(event),
  };
};
