import { OrderedMap } from 'immutable';
import type { Dated } from '../../kernel/decider';
import { DomainError, notFound } from '../../kernel/errors';
import type { Actor } from '../../kernel/scope';
import { HOUR_MS, type Instant, msBetween, plusMs } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import { type Profile, requireKnown } from '../subscribers/subscriber.decider';
import type { Ticket, TicketFact } from './ticket.events';

/**
 * The subscriber's tickets by id. A persistent map, because one more ticket then costs little to
 * copy.
 */
export type Tickets = OrderedMap<string, Ticket>;

export const noTickets: Tickets = OrderedMap();

export const evolveTickets = (tickets: Tickets, { data }: Dated<TicketFact>): Tickets =>
  tickets.set(data.ticket.id, data.ticket);

export interface Submission {
  readonly id: string;
  readonly subscriberId: string;
  readonly topic: Ticket['topic'];
  readonly subject: string | null;
  readonly body: string | null;
  readonly source: Ticket['source'];
  readonly priority: Ticket['priority'];
  /** A closed ticket of the same subscriber, or null. */
  readonly followUpOf: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly actor: Actor;
}

interface State {
  readonly profile: Profile;
  readonly tickets: Tickets;
}

export const submitTicket =
  ({ actor, subscriberId, ...ticket }: Submission, now: Instant) =>
  ({ profile, tickets }: State): TicketFact[] => {
    requireKnown(profile, 'subscriber_id');
    if (tickets.has(ticket.id)) return [];
    if (ticket.followUpOf !== null) requireClosed(tickets.get(ticket.followUpOf));
    return [
      {
        type: 'ticket.submitted',
        data: {
          ticket: {
            id: ticket.id,
            subscriber_id: subscriberId,
            topic: ticket.topic,
            subject: ticket.subject,
            body: ticket.body,
            source: ticket.source,
            priority: ticket.priority,
            status: 'open',
            resolution_note: null,
            resolved_at: null,
            closed_at: null,
            auto_close_at: null,
            follow_up_of: ticket.followUpOf,
            metadata: { ...ticket.metadata },
            created_at: now,
          },
          actor,
        },
      },
    ];
  };

/** Refuses a follow-up of a ticket that is not closed. It belongs in that ticket (D-41). */
const requireClosed = (ticket: Ticket | undefined): void => {
  if (ticket === undefined) throw notFound('ticket', 'follow_up_of');
  if (ticket.status === 'closed') return;
  throw wrongStateError('ticket', {
    status: ticket.status,
    allowed: ['closed'],
    hint: ' A ticket that is not closed needs no follow-up; reopen it if it is resolved.',
    param: 'follow_up_of',
  });
};

export const requireTicket = ({ tickets }: { readonly tickets: Tickets }, id: string): Ticket => {
  const ticket = tickets.get(id);
  if (ticket === undefined) throw notFound('ticket', 'ticketId');
  return ticket;
};

/** The target, actor and time of one change to an existing ticket. */
export interface TicketCommand {
  readonly id: string;
  readonly actor: Actor;
  readonly now: Instant;
}

/** Returns a ticket that may still change. `closed` is final (D-41). */
const requireNotClosed = (state: State, { id }: TicketCommand): Ticket => {
  const ticket = requireTicket(state, id);
  requireKnown(state.profile, 'subscriber_id');
  if (ticket.status !== 'closed') return ticket;
  throw new DomainError('ticket_closed', 'The ticket is closed for good; submit a follow-up.', {
    details: { current_status: 'closed', allowed: ['open', 'resolved'] },
  });
};

export interface TicketChange {
  readonly topic?: Ticket['topic'];
  readonly subject?: string | null;
  readonly priority?: Ticket['priority'];
}

/** Changes topic, subject and priority of a ticket that is not closed (D-40). */
export const amendTicket =
  (command: TicketCommand, { topic, subject, priority }: TicketChange) =>
  (state: State): TicketFact[] => {
    const ticket = requireNotClosed(state, command);
    const previous = {
      ...(topic === undefined || topic === ticket.topic ? {} : { topic: ticket.topic }),
      ...(subject === undefined || subject === ticket.subject ? {} : { subject: ticket.subject }),
      ...(priority === undefined || priority === ticket.priority
        ? {}
        : { priority: ticket.priority }),
    };
    if (Object.keys(previous).length === 0) return [];
    const after = {
      ...ticket,
      topic: topic ?? ticket.topic,
      subject: subject === undefined ? ticket.subject : subject,
      priority: priority ?? ticket.priority,
    };
    const { actor } = command;
    return [
      { type: 'ticket.updated', data: { ticket: after, previous, reason: REQUESTED, actor } },
    ];
  };

const REQUESTED = 'requested';

export interface Resolution {
  readonly note: string | null;
  /** Hours until the ticket closes by itself, from the tenant's setting at this time. */
  readonly autoCloseHours: number;
}

/** Resolves an open ticket. Resolving a resolved ticket does nothing. */
export const resolveTicket =
  (command: TicketCommand, { note, autoCloseHours }: Resolution) =>
  (state: State): TicketFact[] => {
    const ticket = requireNotClosed(state, command);
    if (ticket.status === 'resolved') return [];
    const { now, actor } = command;
    return [
      {
        type: 'ticket.resolved',
        data: {
          ticket: {
            ...ticket,
            status: 'resolved',
            resolution_note: note ?? ticket.resolution_note,
            resolved_at: now,
            auto_close_at: plusMs(now, autoCloseHours * HOUR_MS),
          },
          previous: { status: ticket.status },
          resolution_seconds: countSeconds(ticket.created_at, now),
          reason: REQUESTED,
          actor,
        },
      },
    ];
  };

/** Reopens a resolved ticket. Clears `resolved_at` and keeps the note. */
export const reopenTicket =
  (command: TicketCommand) =>
  (state: State): TicketFact[] => {
    const ticket = requireNotClosed(state, command);
    if (ticket.status === 'open') return [];
    return [
      {
        type: 'ticket.reopened',
        data: {
          ticket: { ...ticket, status: 'open', resolved_at: null, auto_close_at: null },
          previous: { status: ticket.status },
          reason: REQUESTED,
          actor: command.actor,
        },
      },
    ];
  };

/** Closes an open or resolved ticket for good. */
export const closeTicket =
  (command: TicketCommand) =>
  (state: State): TicketFact[] => [
    createClosed(requireNotClosed(state, command), command, REQUESTED),
  ];

/**
 * Closes all tickets of a subscriber who is erased. The facts are without the texts of the tickets,
 * which cannot be read any more afterwards.
 */
export const closeAllTickets = (tickets: Tickets, by: Omit<TicketCommand, 'id'>): TicketFact[] =>
  [...tickets.values()]
    .filter(({ status }) => status !== 'closed')
    .map((ticket) => createClosed({ ...ticket, ...NO_TEXTS }, by, 'subscriber_erased'));

const NO_TEXTS = { subject: null, body: null, resolution_note: null, metadata: {} };

/** Returns the resolved ticket that closes by itself next, or null. */
export const findNextAutoClose = (
  tickets: Tickets,
): (Ticket & { readonly auto_close_at: Instant }) | null => {
  const due = [...tickets.values()].filter(
    (ticket): ticket is Ticket & { readonly auto_close_at: Instant } =>
      ticket.auto_close_at != null,
  );
  return due.sort((a, b) => (a.auto_close_at < b.auto_close_at ? -1 : 1))[0] ?? null;
};

/** Closes a ticket by the timer. Does nothing before the ticket is due, or a second time. */
export const closeTicketByTimer = (ticket: Ticket, now: Instant): TicketFact[] => {
  const { auto_close_at: due } = ticket;
  return due === null || due > now
    ? []
    : [createClosed(ticket, { actor: 'system', now: due }, 'auto_close')];
};

const createClosed = (
  ticket: Ticket,
  { now, actor }: Omit<TicketCommand, 'id'>,
  reason: string,
): TicketFact => ({
  type: 'ticket.closed',
  at: now,
  data: {
    ticket: { ...ticket, status: 'closed', closed_at: now, auto_close_at: null },
    previous: { status: ticket.status },
    resolution_seconds:
      ticket.resolved_at === null ? null : countSeconds(ticket.created_at, ticket.resolved_at),
    reason,
    actor,
  },
});

const countSeconds = (from: Instant, to: Instant): number => Math.floor(msBetween(from, to) / 1000);
