import { Choice, Id, Text } from '../../http/fields/fields';
import { Metadata } from '../../http/fields/metadata-field';
import { ListQuery } from '../../http/lists/list-query';
import {
  TICKET_PRIORITIES,
  TICKET_SOURCES,
  TICKET_STATUSES,
  TICKET_TOPICS,
  type Ticket,
} from '../../domain/tickets/ticket.events';

export class SubmitTicketBody {
  @Id({ example: 'subscriber_0k3v9c2m8x7q1z5n' })
  readonly subscriber_id!: string;

  @Choice(TICKET_TOPICS)
  readonly topic!: Ticket['topic'];

  @Text({ max: 200, optional: true, nullable: true, example: 'Charged twice' })
  readonly subject?: string | null;

  @Text({
    max: 20_000,
    optional: true,
    nullable: true,
    example: 'I was charged twice this month.',
  })
  readonly body?: string | null;

  @Choice(TICKET_SOURCES, { optional: true, default: 'help_center' })
  readonly source?: Ticket['source'];

  @Choice(TICKET_PRIORITIES, { optional: true, default: 'normal' })
  readonly priority?: Ticket['priority'];

  @Id({
    optional: true,
    nullable: true,
    description: 'The id of the closed ticket of the same subscriber that this ticket continues.',
  })
  readonly follow_up_of?: string | null;

  @Metadata({ optional: true })
  readonly metadata?: Record<string, string>;
}

export class AmendTicketBody {
  @Choice(TICKET_TOPICS, { optional: true })
  readonly topic?: Ticket['topic'];

  @Text({ max: 200, optional: true, nullable: true, example: 'Charged twice in March' })
  readonly subject?: string | null;

  @Choice(TICKET_PRIORITIES, { optional: true })
  readonly priority?: Ticket['priority'];
}

export class ResolveTicketBody {
  @Text({ max: 20_000, optional: true, nullable: true, example: 'Refunded the second charge.' })
  readonly resolution_note?: string | null;
}

export class ListTicketsQuery extends ListQuery {
  @Choice(TICKET_STATUSES, { optional: true })
  readonly status?: Ticket['status'];

  @Choice(TICKET_TOPICS, { optional: true })
  readonly topic?: Ticket['topic'];

  @Choice(TICKET_PRIORITIES, { optional: true })
  readonly priority?: Ticket['priority'];

  @Choice(TICKET_SOURCES, { optional: true })
  readonly source?: Ticket['source'];

  @Id({ optional: true })
  readonly subscriber_id?: string;
}
