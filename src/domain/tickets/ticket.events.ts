import { type Static, Type } from '@sinclair/typebox';
import type { EventTexts, FactOf } from '../../kernel/decider';
import { ActorField, Moment, nullable, oneOf, PersonalText } from '../schema/fields';

export const TICKET_TOPICS = [
  'billing_question',
  'refund_request',
  'plan_change',
  'cancel',
  'payment_issue',
  'other',
] as const;
export const TICKET_STATUSES = ['open', 'resolved', 'closed'] as const;
export const TICKET_SOURCES = ['help_center', 'billing_portal', 'email_reply'] as const;
export const TICKET_PRIORITIES = ['normal', 'high'] as const;

export const Ticket = Type.Object(
  {
    id: Type.String(),
    subscriber_id: Type.String(),
    topic: oneOf(TICKET_TOPICS),
    subject: PersonalText,
    body: PersonalText,
    source: oneOf(TICKET_SOURCES),
    priority: oneOf(TICKET_PRIORITIES),
    status: oneOf(TICKET_STATUSES),
    resolution_note: PersonalText,
    resolved_at: nullable(Moment),
    closed_at: nullable(Moment),
    /** The time at which a resolved ticket closes by itself. */
    auto_close_at: nullable(Moment),
    /** The closed ticket that this one continues. */
    follow_up_of: nullable(Type.String()),
    metadata: Type.Record(Type.String(), PersonalText),
    created_at: Moment,
  },
  { title: 'Ticket' },
);
export type Ticket = Static<typeof Ticket>;

/** The previous values of the changed fields. */
const Previous = Type.Object({
  topic: Type.Optional(oneOf(TICKET_TOPICS)),
  subject: Type.Optional(PersonalText),
  priority: Type.Optional(oneOf(TICKET_PRIORITIES)),
  status: Type.Optional(oneOf(TICKET_STATUSES)),
});

const changed = { ticket: Ticket, previous: Previous, reason: Type.String(), actor: ActorField };
/** Seconds from submission to resolution. Null if the ticket was closed without one. */
const ResolutionSeconds = nullable(Type.Integer());

/** The type strings and field names are a storage format: add, never rename. */
export const ticketEvents = {
  'ticket.submitted': Type.Object({ ticket: Ticket, actor: ActorField }),
  'ticket.updated': Type.Object(changed),
  'ticket.resolved': Type.Object({ ...changed, resolution_seconds: ResolutionSeconds }),
  'ticket.reopened': Type.Object(changed),
  'ticket.closed': Type.Object({ ...changed, resolution_seconds: ResolutionSeconds }),
};

/** Texts of the API reference that say when each event happens. */
export const ticketEventTexts: EventTexts<typeof ticketEvents> = {
  'ticket.submitted': 'A subscriber submitted a ticket.',
  'ticket.updated': 'The topic, subject or priority of a ticket changed.',
  'ticket.resolved': 'A ticket was resolved.',
  'ticket.reopened': 'A resolved ticket was opened again.',
  'ticket.closed': 'A ticket was closed for good.',
};

export type TicketFact = FactOf<typeof ticketEvents>;
