import type { TargetOf } from '../../domain/destinations/destination-kinds';
import type { DeliveryDestination } from '../model/destination';
import type { Deliverable } from '../model/render';
import { DEFAULT_SUBJECT, renderSubject } from './template';

/** An event that is to be sent to an e-mail address. */
export interface Mail {
  readonly destination: DeliveryDestination;
  readonly target: TargetOf<'email_fallback'>;
  readonly event: Deliverable;
  readonly envelope: Readonly<Record<string, unknown>>;
}

/** An e-mail as `GET /test_helpers/outbox` returns it. */
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
 * Creates the message of an event (D-42). The sender is the service's own address. The Message-ID
 * stays the same when it is sent again, so that mail programs recognise it.
 */
export const createMessage = (
  { destination, target, event, envelope }: Mail,
  from: string,
): Message => {
  const ticket = toRecord(toRecord(envelope['data'])['ticket']);
  const ticketId = toText(ticket['id']);
  const email = toText(toRecord(envelope['subscriber'])['email']);
  return {
    message_id: createMessageId(from, event.id, destination.id),
    date: event.metadata.at,
    from,
    to: target.email,
    reply_to: target.reply_to_subscriber && email !== '' ? email : null,
    subject: renderSubject(target.subject_template ?? DEFAULT_SUBJECT, envelope),
    text: createBody(envelope, ticket),
    headers: {
      'X-Service-Event-Id': event.id,
      ...(ticketId === '' ? {} : { 'X-Service-Ticket-Id': ticketId }),
    },
  };
};

/**
 * Creates the plain-text body: first the text of the subscriber, then the facts that a support
 * agent needs.
 */
const createBody = (envelope: Values, ticket: Values): string => {
  const subscriber = toRecord(envelope['subscriber']);
  const facts = [
    ['Ticket', ticket['id']],
    ['Topic', ticket['topic']],
    ['Priority', ticket['priority']],
    ['Subscriber', subscriber['id']],
    ['E-mail', subscriber['email']],
    ['Submitted', envelope['created_at']],
  ]
    .filter(([, value]) => toText(value) !== '')
    .map(([name, value]) => `${String(name)}: ${toText(value)}`);
  const body = toText(ticket['body']);
  return [...(body === '' ? [] : [body, '', '-- ']), ...facts, ''].join('\n');
};

type Values = Readonly<Record<string, unknown>>;

const toRecord = (value: unknown): Values =>
  typeof value === 'object' && value !== null ? (value as Values) : {};

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Creates a Message-ID that depends only on the parts, so that a message that is sent again is
 * recognised.
 */
export const createMessageId = (from: string, ...parts: readonly string[]): string =>
  `<${parts.join('.')}@${parseDomain(from)}>`;

/** Returns the domain of the sender's address, bare or in angle brackets. */
const parseDomain = (from: string): string => /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
