import { createHash } from 'node:crypto';
import { type Message, createMessageId } from '../../delivery/mail/message';
import { toOneLine } from '../../delivery/mail/template';
import type { Json } from '../../kernel/json';
import type { OperationalFact } from './operational-event.facts';

/** An operational event for one of the tenant's developers (D-63). */
export interface Alert {
  readonly fact: OperationalFact;
  readonly tenantName: string;
  readonly to: string;
}

/** Tells one recipient from another without naming the address. */
export const recipientOf = (address: string): string =>
  createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 16);

/** Its Message-ID is the same whenever it is sent again, so that mail programs recognise it. */
export const alertMessage = ({ fact, tenantName, to }: Alert, from: string): Message => ({
  message_id: createMessageId(from, fact.id, recipientOf(to)),
  date: fact.at,
  from,
  to,
  reply_to: null,
  subject: toOneLine(`[${tenantName}, ${fact.scope.environment}] ${titleOf(fact)}`),
  text: textOf(fact),
  headers: {
    'Auto-Submitted': 'auto-generated',
    'X-Service-Event-Id': fact.id,
    'X-Service-Event-Type': fact.type,
  },
});

const titleOf = ({ type, data }: OperationalFact): string => {
  const destination = `Destination ${valueOf(data['destination_id'])}`;
  switch (type) {
    case 'destination.failing':
      return `${destination} has been failing for ${valueOf(data['hours'])} hours`;
    case 'destination.disabled':
      return `${destination} was disabled (${valueOf(data['reason'])})`;
    case 'destination.enabled':
      return `${destination} was enabled`;
    case 'replay.completed':
      return `Replay ${valueOf(data['replay_id'])}: ${valueOf(data['status'])}`;
  }
};

const ADVICE: Readonly<Record<OperationalFact['type'], string>> = {
  'destination.failing':
    'Every attempt has failed since. Nothing is lost: events arrive in order once it answers with 2xx. After five days of failure it is disabled.',
  'destination.disabled':
    'Nothing is sent to it any more. Nothing is lost: enabled again with PATCH {"status":"active"}, it goes on where it stopped.',
  'destination.enabled': 'It receives deliveries again.',
  'replay.completed': 'GET /v1/replay/{id}/failures lists what could not be delivered.',
};

const textOf = ({ id, type, at, scope, data }: OperationalFact): string =>
  [
    ...Object.entries({ event: id, type, at, environment: scope.environment, ...data }).map(
      ([name, value]) => `${name}: ${valueOf(value)}`,
    ),
    '',
    ADVICE[type],
    '',
  ].join('\n');

const valueOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
