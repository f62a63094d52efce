import type { DeliveryDestination, MailTarget } from '../model/destination';
import type { Deliverable } from '../model/render';
import { DEFAULT_SUBJECT, renderSubject } from './template';

/** An event on its way to an e-mail address. */
export interface Mail {
  readonly destination: DeliveryDestination;
  readonly target: MailTarget;
  readonly event: Deliverable;
  readonly envelope: Readonly<Record<string, unknown>>;
}

/** An e-mail as `GET /test_helpers/outbox` shows it. */
export interface Message {
  readonly message_id: string;
  readonly date: string;
  readonly from: string;
  readonly to: string;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The message of an event (D-42): from the service's one sender, with a Message-ID that stays the
 * same when it is sent again, so that mail programs recognise it.
 */
export const messageOf = (
  { destination, target, event, envelope }: Mail,
  from: string,
): Message => {
  const ticket = recordOf(recordOf(envelope['data'])['ticket']);
  const ticketId = textOf(ticket['id']);
  const email = textOf(recordOf(envelope['subscriber'])['email']);
  return {
    message_id: messageIdOf(from, event.id, destination.id),
    date: event.metadata.at,
    from,
    to: target.email,
    reply_to: target.replyToSubscriber && email !== '' ? email : null,
    subject: renderSubject(target.subjectTemplate ?? DEFAULT_SUBJECT, envelope),
    text: bodyOf(envelope, ticket),
    headers: {
      'X-Service-Event-Id': event.id,
      ...(ticketId === '' ? {} : { 'X-Service-Ticket-Id': ticketId }),
    },
  };
};

/** Plain text: what the subscriber wrote, then what a person at the desk wants to know. */
const bodyOf = (envelope: Values, ticket: Values): string => {
  const subscriber = recordOf(envelope['subscriber']);
  const facts = [
    ['Ticket', ticket['id']],
    ['Topic', ticket['topic']],
    ['Priority', ticket['priority']],
    ['Subscriber', subscriber['id']],
    ['E-mail', subscriber['email']],
    ['Submitted', envelope['created_at']],
  ]
    .filter(([, value]) => textOf(value) !== '')
    .map(([name, value]) => `${String(name)}: ${textOf(value)}`);
  const body = textOf(ticket['body']);
  return [...(body === '' ? [] : [body, '', '-- ']), ...facts, ''].join('\n');
};

type Values = Readonly<Record<string, unknown>>;

const recordOf = (value: unknown): Values =>
  typeof value === 'object' && value !== null ? (value as Values) : {};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The same for the same parts: a message that is sent again is recognised. */
export const messageIdOf = (from: string, ...parts: readonly string[]): string =>
  `<${parts.join('.')}@${hostOf(from)}>`;

/** The domain of the sender's address, bare or in angle brackets. */
const hostOf = (from: string): string => /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
