import { noon, scenario } from '../../../test/support/given';
import {
  subscriberAggregate,
  type SubscriberStreamFact,
} from '../subscriber-stream/subscriber.aggregate';
import { HOUR_MS, plusMs } from '../../kernel/time';
import {
  amendTicket,
  closeTicketByTimer,
  closeTicket,
  findNextAutoClose,
  reopenTicket,
  resolveTicket,
  type Submission,
  submitTicket,
  type TicketCommand,
} from './ticket.decider';
import type { Ticket } from './ticket.events';

const created: SubscriberStreamFact = {
  type: 'subscriber.created',
  data: {
    email: 'ada@example.com',
    external_id: null,
    tags: [],
    metadata: {},
    test_clock: null,
    actor: 'api',
  },
};

const erased: SubscriberStreamFact = {
  type: 'subscriber.erased',
  data: { erased_at: noon, actor: 'api' },
};

const submission: Submission = {
  id: 'tkt_1',
  subscriberId: 'subscriber_1',
  topic: 'cancel',
  subject: 'Why I leave',
  body: null,
  source: 'help_center',
  priority: 'normal',
  followUpOf: null,
  metadata: {},
  actor: 'api',
};

const ticket: Ticket = {
  id: 'tkt_1',
  subscriber_id: 'subscriber_1',
  topic: 'cancel',
  subject: 'Why I leave',
  body: null,
  source: 'help_center',
  priority: 'normal',
  status: 'open',
  resolution_note: null,
  resolved_at: null,
  closed_at: null,
  auto_close_at: null,
  follow_up_of: null,
  metadata: {},
  created_at: noon,
};

const submitted: SubscriberStreamFact = {
  type: 'ticket.submitted',
  data: { ticket, actor: 'api' },
};

const { given } = scenario(subscriberAggregate);

describe('submitting a ticket', () => {
  it('opens a ticket for a known subscriber', () => {
    given(created).when(submitTicket(submission, noon)).then([submitted]);
  });

  it('does nothing if the ticket exists', () => {
    given(created, submitted).when(submitTicket(submission, noon)).then([]);
  });

  it('is refused for an unknown subscriber', () => {
    given().when(submitTicket(submission, noon)).thenRefused('resource_not_found');
  });

  it('is refused for an erased subscriber', () => {
    given(created, erased).when(submitTicket(submission, noon)).thenRefused('subscriber_erased');
  });
});

const later = plusMs(noon, HOUR_MS);
const command: TicketCommand = { id: 'tkt_1', actor: 'api', now: later };
const why = { reason: 'requested', actor: 'api' } as const;

const resolvedTicket: Ticket = {
  ...ticket,
  status: 'resolved',
  resolution_note: 'Done',
  resolved_at: later,
  auto_close_at: plusMs(later, 96 * HOUR_MS),
};
const resolved: SubscriberStreamFact = {
  type: 'ticket.resolved',
  data: {
    ticket: resolvedTicket,
    previous: { status: 'open' },
    resolution_seconds: 3600,
    ...why,
  },
};
const closedFact: SubscriberStreamFact = {
  type: 'ticket.closed',
  at: later,
  data: {
    ticket: { ...ticket, status: 'closed', closed_at: later, auto_close_at: null },
    previous: { status: 'open' },
    resolution_seconds: null,
    ...why,
  },
};

describe('an existing ticket', () => {
  it('is resolved once, with a note', () => {
    given(created, submitted)
      .when(resolveTicket(command, { note: 'Done', autoCloseHours: 96 }))
      .then([resolved]);
    given(created, submitted, resolved)
      .when(resolveTicket(command, { note: 'Again', autoCloseHours: 1 }))
      .then([]);
  });

  it('is reopened with its note and without its resolution time', () => {
    given(created, submitted, resolved)
      .when(reopenTicket(command))
      .then([
        {
          type: 'ticket.reopened',
          data: {
            ticket: { ...resolvedTicket, status: 'open', resolved_at: null, auto_close_at: null },
            previous: { status: 'resolved' },
            ...why,
          },
        },
      ]);
    given(created, submitted).when(reopenTicket(command)).then([]);
  });

  it('can be closed from open and from resolved', () => {
    given(created, submitted).when(closeTicket(command)).then([closedFact]);
    given(created, submitted, resolved)
      .when(closeTicket(command))
      .thenLike([{ type: 'ticket.closed', data: { previous: { status: 'resolved' } } }]);
  });

  it('states the changed fields, and nothing if none changed', () => {
    given(created, submitted)
      .when(amendTicket(command, { priority: 'high', topic: 'cancel', subject: null }))
      .then([
        {
          type: 'ticket.updated',
          data: {
            ticket: { ...ticket, priority: 'high', subject: null },
            previous: { priority: 'normal', subject: 'Why I leave' },
            ...why,
          },
        },
      ]);
    given(created, submitted)
      .when(amendTicket(command, { topic: 'cancel' }))
      .then([]);
  });

  it('is final once it is closed', () => {
    const after = given(created, submitted, closedFact);
    after
      .when(resolveTicket(command, { note: null, autoCloseHours: 1 }))
      .thenRefused('ticket_closed');
    after.when(reopenTicket(command)).thenRefused('ticket_closed');
    after.when(closeTicket(command)).thenRefused('ticket_closed');
    after.when(amendTicket(command, { priority: 'high' })).thenRefused('ticket_closed');
  });

  it('accepts a follow-up only once it is closed', () => {
    const followUp = { ...submission, id: 'tkt_2', followUpOf: 'tkt_1' };
    given(created, submitted, closedFact)
      .when(submitTicket(followUp, noon))
      .thenLike([{ data: { ticket: { id: 'tkt_2', follow_up_of: 'tkt_1' } } }]);
    given(created, submitted)
      .when(submitTicket(followUp, noon))
      .thenRefused('invalid_state_transition');
    given(created).when(submitTicket(followUp, noon)).thenRefused('resource_not_found');
  });
});

describe('the automatic closing of a ticket', () => {
  const due = plusMs(later, 96 * HOUR_MS);

  it('has the time at which it was due, even if the timer fires late', () => {
    const { state } = given(created, submitted, resolved);
    expect(findNextAutoClose(state.tickets)).toEqual(resolvedTicket);
    expect(closeTicketByTimer(resolvedTicket, plusMs(due, HOUR_MS))).toMatchObject([
      {
        type: 'ticket.closed',
        at: due,
        data: {
          ticket: { closed_at: due, auto_close_at: null },
          reason: 'auto_close',
          actor: 'system',
        },
      },
    ]);
  });

  it('does not happen early, twice, or to an unresolved ticket', () => {
    expect(closeTicketByTimer(resolvedTicket, plusMs(due, -1))).toEqual([]);
    for (const facts of [[submitted], [submitted, closedFact]]) {
      expect(findNextAutoClose(given(created, ...facts).state.tickets)).toBeNull();
    }
    expect(closeTicketByTimer(ticket, due)).toEqual([]);
  });
});
