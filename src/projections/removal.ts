import type { StoredEvent } from '../event-store/stored-event';
import type { StreamOwner } from '../event-store/streams';
import { type OwnedPrefix, ownedBy } from '../kernel/ids';
import type { RowChanges, Table } from './rows';

/** Who this event removes with a test clock (D-111), null where it removes nobody. */
export const removedBy = ({ type, data, owner }: StoredEvent): StreamOwner | null =>
  type === 'subscriber.erased' && data['removed'] === true ? owner : null;

interface Owned {
  readonly kind: OwnedPrefix;
  /** The column with an id of that kind, or one that begins with it. */
  readonly column?: string;
}

/** Where the event removes a subscriber, their rows of the table go. */
export const removeOwned = (
  changes: RowChanges,
  event: StoredEvent,
  table: Table,
  { kind, column = 'id' }: Owned,
): void => {
  const owner = removedBy(event);
  if (owner === null) return;
  const prefix = ownedBy(kind, owner.subscriberId);
  changes.removeStretch(table, { scope: owner.scopeName, column, prefix });
};
