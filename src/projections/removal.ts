import type { StoredEvent } from '../event-store/stored-event';
import type { StreamOwner } from '../event-store/streams';
import { type OwnedPrefix, createOwnedIdPrefix } from '../kernel/ids';
import type { RowChanges, Table } from './rows';

/** Returns the subscriber that this event removes together with a test clock (D-111), or null. */
export const findRemovedSubscriber = ({ type, data, owner }: StoredEvent): StreamOwner | null =>
  type === 'subscriber.erased' && data['removed'] === true ? owner : null;

interface OwnedRows {
  readonly kind: OwnedPrefix;
  /** The column with an id of that kind, or an id that begins with it. */
  readonly column?: string;
}

/** Removes a subscriber's rows of a table if the event removes the subscriber. */
export const removeOwned = (
  changes: RowChanges,
  event: StoredEvent,
  table: Table,
  { kind, column = 'id' }: OwnedRows,
): void => {
  const owner = findRemovedSubscriber(event);
  if (owner === null) return;
  const prefix = createOwnedIdPrefix(kind, owner.subscriberId);
  changes.removeRange(table, { scope: owner.scopeName, column, prefix });
};
