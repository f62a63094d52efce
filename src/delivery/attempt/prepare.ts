import { type Clock, type Instant, toMillis } from '../../kernel/time';
import { formatTraceparent, type TraceContext } from '../../kernel/trace';
import {
  type DeliveryDestination,
  renderingAt,
  secretsAt,
  type SigningSecret,
  validSecrets,
} from '../model/destination';
import { type Deliverable, type Renderer, type RenderOptions, stricterMode } from '../model/render';
import type { Outgoing } from '../webhook/sender';
import { stableSignature, standardSignature } from '../webhook/sign';

const USER_AGENT = 'SubscriptionEventService/1.0';

/** An attempt, live or replayed, before it is rendered. */
export interface AttemptRequest {
  readonly event: Deliverable;
  readonly destination: DeliveryDestination;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
  /**
   * The time at which the event was first sent live to this destination; null if it never was. A
   * later rendering never shows more than the first one (T9).
   */
  readonly firstSentAt: Instant | null;
  /** Set for an attempt of a replay: the job's id, and `skip_existing` or `force_redeliver`. */
  readonly replay?: { readonly replayId: string; readonly dedupeStrategy: string } | null;
}

export interface TracedAttemptRequest extends AttemptRequest {
  /** The trace of the attempt; `parentId` is the id of the attempt itself. */
  readonly trace: TraceContext;
}

interface PreparedAttempt {
  readonly request: Outgoing;
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly at: Instant;
}

/**
 * Creates the exact request of an attempt: rendered in the destination's PII mode and schema
 * version, and signed (D-60, T1, T9). The same event to the same destination gives the same bytes
 * and the same stable signature as long as mode, pinned version and valid secrets are unchanged.
 */
export const prepareAttempt = async (
  renderer: Renderer,
  clock: Clock,
  { event, destination, attempt, firstSentAt, replay, trace }: TracedAttemptRequest,
): Promise<PreparedAttempt> => {
  const at = clock.now();
  const first = firstSentAt === null ? null : renderingAt(destination, firstSentAt);
  const shape = chooseRenderOptions(destination, at, first);
  const rendered = await renderer.renderAs(event, shape);
  const redacted = first !== null && isRedacted(first.piiMode, shape.mode, rendered.isErased);
  const original = redacted || replay == null ? null : firstSentAt;
  const headers = {
    ...createHeaders(event, { destination, attempt, version: rendered.version }),
    ...(replay == null
      ? {}
      : {
          'x-service-replay-id': replay.replayId,
          'x-service-replay-attempt': String(attempt),
          'x-service-replay-dedupe': replay.dedupeStrategy,
        }),
    ...(redacted ? { 'x-service-redacted': 'true' } : {}),
    ...(destination.sendsTraceHeaders ? { traceparent: formatTraceparent(trace) } : {}),
  };
  const body = JSON.stringify(rendered.envelope);
  return {
    at,
    envelope: rendered.envelope,
    request: {
      url: destination.url,
      body,
      headers: { ...headers, ...createSignatures(event, body, { destination, at, original }) },
    },
  };
};

/**
 * Chooses the stricter PII mode of the first delivery and today, and the schema version of the
 * first delivery.
 */
const chooseRenderOptions = (
  destination: DeliveryDestination,
  at: Instant,
  first: { readonly piiMode: RenderOptions['mode']; readonly schemaVersion: string | null } | null,
): RenderOptions => {
  const now = renderingAt(destination, at);
  return first === null
    ? { mode: now.piiMode, version: now.schemaVersion }
    : { mode: stricterMode(first.piiMode, now.piiMode), version: first.schemaVersion };
};

/** True if the request shows less than the first delivery did. */
const isRedacted = (
  first: RenderOptions['mode'],
  now: RenderOptions['mode'],
  isErased: boolean,
): boolean => now !== first || (isErased && first !== 'minimal');

interface HeaderFacts {
  readonly destination: DeliveryDestination;
  readonly attempt: number;
  readonly version: string;
}

const createHeaders = (
  event: Deliverable,
  { destination, attempt, version }: HeaderFacts,
): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': USER_AGENT,
  'x-service-event-id': event.id,
  'x-service-event-type': event.type,
  'x-service-schema-version': version,
  'x-service-attempt': String(attempt),
  'x-service-destination-id': destination.id,
});

interface SigningFacts {
  readonly destination: DeliveryDestination;
  readonly at: Instant;
  /** The time of the first delivery. A replay also carries the signatures of that time. */
  readonly original: Instant | null;
}

const createSignatures = (
  event: Deliverable,
  body: string,
  { destination, at, original }: SigningFacts,
): Record<string, string> => {
  const signed = { eventId: event.id, body };
  const valid = validSecrets(destination, at);
  const kept = original === null ? [] : secretsAt(destination, original);
  const stable = destination.secrets.filter((each) => valid.includes(each) || kept.includes(each));
  const attemptedAt = toUnixSeconds(at);
  const createdAt = toUnixSeconds(event.metadata.at);
  return {
    'x-service-signature': stableSignature(signed, {
      secrets: stable.map(readValue),
      timestamp: createdAt,
    }),
    'webhook-id': event.id,
    'webhook-timestamp': String(attemptedAt),
    'webhook-signature': standardSignature(signed, {
      secrets: valid.map(readValue),
      timestamp: attemptedAt,
    }),
  };
};

const readValue = ({ value }: SigningSecret): string => value;

const toUnixSeconds = (at: Instant): number => Math.floor(toMillis(at) / 1000);
