import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { Versioned } from '../../http/pipeline/presentation';
import { newOwnedId } from '../../kernel/ids';
import type { TenantContext } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { requireOwner, requireSubscriberId } from '../../kernel/required-ids';
import {
  type Subscriber,
  subscriberAggregate,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import { TenantDirectory } from '../../directories/tenant.directory';
import {
  amendTicket,
  closeTicket,
  reopenTicket,
  requireTicket,
  resolveTicket,
  type Submission,
  submitTicket,
  type TicketChange,
  type TicketCommand,
} from '../../domain/tickets/ticket.decider';
import type { Ticket, TicketFact } from '../../domain/tickets/ticket.events';

type TicketFields = Omit<Submission, 'id' | 'actor'>;

export class SubmitTicket extends Command<Versioned<Ticket>> {
  constructor(
    readonly context: TenantContext,
    readonly fields: TicketFields,
  ) {
    super();
  }
}

/** An action on an existing ticket. */
export type TicketAction =
  | { readonly kind: 'amend'; readonly change: TicketChange }
  | { readonly kind: 'resolve'; readonly note: string | null }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'close' };

export class ChangeTicket extends Command<Versioned<Ticket>> {
  constructor(
    readonly context: TenantContext,
    readonly ticketId: string,
    readonly action: TicketAction,
  ) {
    super();
  }
}

@CommandHandler(SubmitTicket)
export class SubmitTicketHandler implements ICommandHandler<SubmitTicket> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ context, fields }: SubmitTicket): Promise<Versioned<Ticket>> {
    requireSubscriberId(fields.subscriberId, 'subscriber_id');
    if (fields.followUpOf !== null) requireOwner('tkt', fields.followUpOf, 'follow_up_of');
    const id = newOwnedId('tkt', fields.subscriberId, context.entropy);
    const stream = streams.subscriber(context.scope, fields.subscriberId);
    const { state, revision } = await this.aggregates.run(
      subscriberAggregate,
      stream,
      context,
      (moment) => submitTicket({ ...fields, id, actor: context.actor }, moment.now)(moment.state),
    );
    return new Versioned(requireTicket(state, id), revision + 1);
  }
}

@CommandHandler(ChangeTicket)
export class ChangeTicketHandler implements ICommandHandler<ChangeTicket> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly tenants: TenantDirectory,
  ) {}

  async execute({ context, ticketId, action }: ChangeTicket): Promise<Versioned<Ticket>> {
    const subscriberId = requireOwner('tkt', ticketId, 'ticketId');
    const stream = streams.subscriber(context.scope, subscriberId);
    const { settings } = this.tenants.require(context.scope.tenantId);
    const { state, revision } = await this.aggregates.run(
      subscriberAggregate,
      stream,
      context,
      (moment) => {
        requireTicket(moment.state, ticketId);
        const command = toCommand(context, ticketId, moment.now);
        return chooseDecision(action, command, settings.ticket_auto_close_hours)(moment.state);
      },
    );
    return new Versioned(requireTicket(state, ticketId), revision + 1);
  }
}

const toCommand = ({ actor }: TenantContext, id: string, now: Instant): TicketCommand => ({
  id,
  actor,
  now,
});

const chooseDecision = (
  action: TicketAction,
  command: TicketCommand,
  autoCloseHours: number,
): ((state: Subscriber) => TicketFact[]) => {
  switch (action.kind) {
    case 'amend':
      return amendTicket(command, action.change);
    case 'resolve':
      return resolveTicket(command, { note: action.note, autoCloseHours });
    case 'reopen':
      return reopenTicket(command);
    case 'close':
      return closeTicket(command);
  }
};
