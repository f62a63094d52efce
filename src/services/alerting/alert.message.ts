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

/** Identifies a recipient without revealing the address. */
export const hashRecipient = (address: string): string =>
  createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, 16);

/**
 * Creates the message of an alert. Its Message-ID stays the same when it is sent again, so that
 * mail programs recognise it.
 */
export const createAlertMessage = ({ fact, tenantName, to }: Alert, from: string): Message => ({
  message_id: createMessageId(from, fact.id, hashRecipient(to)),
  date: fact.at,
  from,
  to,
  reply_to: null,
  subject: toOneLine(`[${tenantName}, ${fact.scope.environment}] ${createTitle(fact)}`),
  text: createText(fact),
  headers: {
    'Auto-Submitted': 'auto-generated',
    'X-Service-Event-Id': fact.id,
    'X-Service-Event-Type': fact.type,
  },
});

const createTitle = ({ type, data }: OperationalFact): string => {
  const destination = `Destination ${formatValue(data['destination_id'])}`;
  switch (type) {
    case 'destination.failing':
      return `${destination} has been failing for ${formatValue(data['hours'])} hours`;
    case 'destination.disabled':
      return `${destination} was disabled (${formatValue(data['reason'])})`;
    case 'destination.enabled':
      return `${destination} was enabled`;
    case 'replay.completed':
      return `Replay ${formatValue(data['replay_id'])}: ${formatValue(data['status'])}`;
  }
};

const ADVICE: Readonly<Record<OperationalFact['type'], string>> = {
  'destination.failing':
    'Every attempt has failed since. Nothing is lost: events arrive in order once it answers with 2xx. After five days of failure it is disabled.',
  'destination.disabled':
    'Nothing is sent to it any more. Nothing is lost: enabled again with PATCH {"status":"active"}, it continues where it stopped.',
  'destination.enabled': 'It receives deliveries again.',
  'replay.completed': 'GET /v1/replay/{id}/failures lists what could not be delivered.',
};

const createText = ({ id, type, at, scope, data }: OperationalFact): string =>
  [
    ...Object.entries({ event: id, type, at, environment: scope.environment, ...data }).map(
      ([name, value]) => `${name}: ${formatValue(value)}`,
    ),
    '',
    ADVICE[type],
    '',
  ].join('\n');

const formatValue = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
