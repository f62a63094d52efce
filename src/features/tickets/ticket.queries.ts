import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { restorePersonal } from '../../event-store/catalogue';
import type { JsonObject } from '../../kernel/json';
import { Vault } from '../../event-store/vault';
import { createPeriodConditions, equalTo, mapPageAsync, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import { notFound } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireOwner } from '../../kernel/required-ids';
import { Database } from '../../read-models/database';
import type { ListTicketsQuery } from './ticket.dto';
import type { Ticket } from '../../domain/tickets/ticket.events';

export class GetTicket extends Query<Versioned<Ticket>> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class ListTickets extends Query<Page<Ticket>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListTicketsQuery,
  ) {
    super();
  }
}

interface TicketRow {
  readonly id: string;
  readonly created_at: Instant;
  readonly ticket: JsonObject;
  readonly sealed: string | null;
}

const COLUMNS = 'id, created_at, ticket, sealed';

/** Returns a ticket with its text decrypted. */
const unsealRow = async (vault: Vault, { ticket, sealed }: TicketRow): Promise<Ticket> => {
  const personal = await vault.open(ticket['subscriber_id'] as string, sealed ?? undefined);
  // `sealed` has all personal values of the event. Those of the ticket before the event are left
  // out.
  const own = (personal?.fields ?? []).filter(([path]) => path[0] === 'ticket');
  return restorePersonal({ ticket }, own)['ticket'] as unknown as Ticket;
};

@QueryHandler(GetTicket)
export class GetTicketHandler implements IQueryHandler<GetTicket> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, id }: GetTicket): Promise<Versioned<Ticket>> {
    requireOwner('tkt', id, 'ticketId');
    const [row] = await this.database.query<TicketRow & { sequence: number }>({
      name: 'ticket',
      text: `select ${COLUMNS}, (select sequence from subscribers s
          where s.scope = tickets.scope and s.id = tickets.subscriber_id) as sequence
        from tickets where scope = $1 and id = $2`,
      values: [scopeName(scope), id],
    });
    if (row === undefined) throw notFound('ticket', 'ticketId');
    return new Versioned(await unsealRow(this.vault, row), row.sequence);
  }
}

@QueryHandler(ListTickets)
export class ListTicketsHandler implements IQueryHandler<ListTickets> {
  constructor(
    private readonly database: Database,
    private readonly vault: Vault,
  ) {}

  async execute({ scope, filters }: ListTickets): Promise<Page<Ticket>> {
    const page = await readPage<TicketRow>(
      this.database,
      {
        from: 'tickets',
        columns: COLUMNS,
        scope: scopeName(scope),
        conditions: [
          ...equalTo(filters, 'status', 'topic', 'priority', 'source', 'subscriber_id'),
          ...createPeriodConditions(filters),
        ],
      },
      filters,
    );
    return mapPageAsync(page, (row) => unsealRow(this.vault, row));
  }
}
