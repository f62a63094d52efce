import type { StoredEvent } from '../../event-store/stored-event';
import type { StreamOwner } from '../../event-store/streams';
import { createOwnedIdPrefix } from '../../kernel/ids';
import { Projection } from '../../projections/projection';
import { removeOwned } from '../../projections/removal';
import type { RowChanges, Table } from '../../projections/rows';
import type { Ticket } from '../../domain/tickets/ticket.events';

export const ticketsTable: Table = { name: 'tickets', key: ['scope', 'id'] };

export class TicketProjection extends Projection {
  readonly name = 'tickets';
  readonly tables = [ticketsTable];

  project(event: StoredEvent, changes: RowChanges): void {
    removeOwned(changes, event, ticketsTable, { kind: 'tkt' });
    if (event.owner === null) return;
    if (event.type === 'subscriber.erased') eraseTexts(event.owner, changes);
    if (!event.type.startsWith('ticket.')) return;
    const ticket = event.data['ticket'] as unknown as Ticket;
    changes.upsert(ticketsTable, {
      scope: event.owner.scopeName,
      id: ticket.id,
      subscriber_id: ticket.subscriber_id,
      created_at: ticket.created_at,
      status: ticket.status,
      topic: ticket.topic,
      priority: ticket.priority,
      source: ticket.source,
      ticket,
      sealed: event.metadata.sealed ?? null,
    });
  }
}

/** Removes the sealed texts of an erased subscriber, which can no longer be decrypted. */
const eraseTexts = ({ scopeName, subscriberId }: StreamOwner, changes: RowChanges): void => {
  const prefix = createOwnedIdPrefix('tkt', subscriberId);
  changes.updateRange(ticketsTable, { scope: scopeName, column: 'id', prefix }, { sealed: null });
};
