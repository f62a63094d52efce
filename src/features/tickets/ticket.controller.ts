import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Versioned } from '../../http/pipeline/presentation';
import type { Principal } from '../../http/pipeline/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { ChangeTicket, SubmitTicket } from './ticket.commands';
import {
  AmendTicketBody,
  ListTicketsQuery,
  ResolveTicketBody,
  SubmitTicketBody,
} from './ticket.dto';
import { Ticket } from '../../domain/tickets/ticket.events';
import { GetTicket, ListTickets } from './ticket.queries';

type AnsweredTicket = Promise<Versioned<Ticket>>;

@ApiTags('Tickets')
@Controller('v1/tickets')
export class TicketController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Refuses('invalid_state_transition', 'subscriber_erased')
  @Does('Submits a ticket for a subscriber.', 'Destinations receive `ticket.submitted`.')
  @Answer(Ticket, { status: 201 })
  @Requires('tickets:write')
  submit(@InTenant() context: TenantContext, @Body() body: SubmitTicketBody): AnsweredTicket {
    return this.commands.execute(
      new SubmitTicket(context, {
        subscriberId: body.subscriber_id,
        topic: body.topic,
        subject: body.subject ?? null,
        body: body.body ?? null,
        source: body.source ?? 'help_center',
        priority: body.priority ?? 'normal',
        followUpOf: body.follow_up_of ?? null,
        metadata: body.metadata ?? {},
      }),
    );
  }

  @Get()
  @Does('Lists tickets, newest first.')
  @AnswerPage(Ticket)
  @Requires('tickets:read')
  list(@Caller() { scope }: Principal, @Query() query: ListTicketsQuery): Promise<Page<Ticket>> {
    return this.queries.execute(new ListTickets(scope, query));
  }

  @Get(':ticketId')
  @Does('Shows a ticket.')
  @Answer(Ticket)
  @Requires('tickets:read')
  get(@Caller() { scope }: Principal, @Param('ticketId') id: string): AnsweredTicket {
    return this.queries.execute(new GetTicket(scope, id));
  }

  @Patch(':ticketId')
  @Refuses('ticket_closed', 'subscriber_erased')
  @Does('Changes topic, subject and priority while the ticket is not closed.')
  @Answer(Ticket)
  @Requires('tickets:write')
  amend(
    @InTenant() context: TenantContext,
    @Param('ticketId') id: string,
    @Body() { topic, subject, priority }: AmendTicketBody,
  ): AnsweredTicket {
    const change = {
      ...(topic === undefined ? {} : { topic }),
      ...(subject === undefined ? {} : { subject }),
      ...(priority === undefined ? {} : { priority }),
    };
    return this.commands.execute(new ChangeTicket(context, id, { kind: 'amend', change }));
  }

  @Post(':ticketId/resolve')
  @Refuses('ticket_closed', 'subscriber_erased')
  @Does('Resolves a ticket.', 'It closes by itself after the tenant’s `ticket_auto_close_hours`.')
  @Answer(Ticket)
  @Requires('tickets:write')
  resolve(
    @InTenant() context: TenantContext,
    @Param('ticketId') id: string,
    @Body() { resolution_note: note = null }: ResolveTicketBody,
  ): AnsweredTicket {
    return this.commands.execute(new ChangeTicket(context, id, { kind: 'resolve', note }));
  }

  @Post(':ticketId/reopen')
  @Refuses('ticket_closed', 'subscriber_erased')
  @Does('Opens a resolved ticket again.', 'The resolution note stays.')
  @Answer(Ticket)
  @Requires('tickets:write')
  reopen(@InTenant() context: TenantContext, @Param('ticketId') id: string): AnsweredTicket {
    return this.commands.execute(new ChangeTicket(context, id, { kind: 'reopen' }));
  }

  @Post(':ticketId/close')
  @Refuses('ticket_closed', 'subscriber_erased')
  @Does('Closes a ticket for good.', 'To continue, create a new ticket with `follow_up_of`.')
  @Answer(Ticket)
  @Requires('tickets:write')
  close(@InTenant() context: TenantContext, @Param('ticketId') id: string): AnsweredTicket {
    return this.commands.execute(new ChangeTicket(context, id, { kind: 'close' }));
  }
}
