import type { TargetOf } from '../../domain/destinations/destination-kinds';
import type { Environment } from '../../kernel/scope';
import { type Instant, toMillis } from '../../kernel/time';
import { formatTraceparent } from '../../kernel/trace';
import type { Channel, PreparedAttempt, Preview } from '../model/channel';
import { selectSecretsAt, type SigningSecret, selectValidSecrets } from '../model/destination';
import type { AttemptResult } from '../model/verdict';
import type { Outgoing, Sender } from './sender';
import type { UrlPolicy } from './url-policy';
import { signStable, signStandard } from './sign';

const USER_AGENT = 'SubscriptionEventService/1.0';
/** Length of a receiver's response that the delivery log keeps. */
const RESPONSE_BODY_MAX_CHARS = 4_096;

type WebhookTarget = TargetOf<'https_webhook'>;

/** Sends events as signed HTTPS requests (D-60). */
export class WebhookChannel implements Channel<WebhookTarget> {
  constructor(
    private readonly sender: Sender,
    private readonly urls: UrlPolicy,
  ) {}

  checkTarget({ url }: WebhookTarget, environment: Environment): Promise<void> {
    return this.urls.check(url, environment);
  }

  send(prepared: PreparedAttempt, target: WebhookTarget): Promise<AttemptResult> {
    return this.sender.send(createRequest(prepared, target));
  }

  preview(prepared: PreparedAttempt, target: WebhookTarget): Preview {
    const { headers, body } = createRequest(prepared, target);
    return { headers, body };
  }

  selectLoggedBody(body: string): string {
    return body.slice(0, RESPONSE_BODY_MAX_CHARS);
  }

  storeTest(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Creates the exact request of an attempt (D-60, T1, T9). The same event to the same destination
 * gives the same bytes and the same stable signature as long as mode, pinned version and valid
 * secrets are unchanged.
 */
export const createRequest = (prepared: PreparedAttempt, target: WebhookTarget): Outgoing => {
  const body = JSON.stringify(prepared.envelope);
  const signatures = createSignatures(prepared, body);
  return { url: target.url, body, headers: { ...createHeaders(prepared), ...signatures } };
};

const createHeaders = ({
  event,
  destination,
  attempt,
  version,
  replay,
  isRedacted,
  trace,
}: PreparedAttempt): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': USER_AGENT,
  'x-service-event-id': event.id,
  'x-service-event-type': event.type,
  'x-service-schema-version': version,
  'x-service-attempt': String(attempt),
  'x-service-destination-id': destination.id,
  ...(replay === null
    ? {}
    : {
        'x-service-replay-id': replay.replayId,
        'x-service-replay-attempt': String(attempt),
        'x-service-replay-dedupe': replay.dedupeStrategy,
      }),
  ...(isRedacted ? { 'x-service-redacted': 'true' } : {}),
  ...(destination.sendsTraceHeaders ? { traceparent: formatTraceparent(trace) } : {}),
});

const createSignatures = (
  { event, destination, at, original }: PreparedAttempt,
  body: string,
): Record<string, string> => {
  const signed = { eventId: event.id, body };
  const valid = selectValidSecrets(destination, at);
  const kept = original === null ? [] : selectSecretsAt(destination, original);
  const stable = destination.secrets.filter((each) => valid.includes(each) || kept.includes(each));
  const attemptedAt = toUnixSeconds(at);
  const createdAt = toUnixSeconds(event.metadata.at);
  return {
    'x-service-signature': signStable(signed, {
      secrets: stable.map(readValue),
      timestamp: createdAt,
    }),
    'webhook-id': event.id,
    'webhook-timestamp': String(attemptedAt),
    'webhook-signature': signStandard(signed, {
      secrets: valid.map(readValue),
      timestamp: attemptedAt,
    }),
  };
};

const readValue = ({ value }: SigningSecret): string => value;

const toUnixSeconds = (at: Instant): number => Math.floor(toMillis(at) / 1000);
