import { type Clock, type Instant, toMillis } from '../../kernel/time';
import { formatTraceparent, type TraceContext } from '../../kernel/trace';
import {
  type DeliveryDestination,
  renderingAt,
  secretsAt,
  type SigningSecret,
  validSecrets,
} from '../model/destination';
import { type Deliverable, type Renderer, type Shape, stricter } from '../model/render';
import type { Outgoing } from '../webhook/sender';
import { stableSignature, standardSignature } from '../webhook/sign';

const USER_AGENT = 'SubscriptionEventService/1.0';

/** One attempt, live or replayed, before it is rendered. */
export interface ToAttempt {
  readonly event: Deliverable;
  readonly destination: DeliveryDestination;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * When the event was first sent to this destination live; null where it never was. What was shown
   * then is not shown more freely now (T9).
   */
  readonly firstSentAt: Instant | null;
  /** Set for an attempt of a replay: `rep_…`, and `skip_existing` or `force_redeliver`. */
  readonly replay?: { readonly replayId: string; readonly dedupeStrategy: string } | null;
}

export interface ToPrepare extends ToAttempt {
  /** The trace that the attempt belongs to, and the step of it that the attempt is. */
  readonly trace: TraceContext;
}

interface Prepared {
  readonly request: Outgoing;
  readonly envelope: Readonly<Record<string, unknown>>;
  readonly at: Instant;
}

/**
 * The exact request of an attempt: rendered in the destination's PII mode and schema version, signed,
 * addressed (D-60, T1, T9). The same event to the same destination gives the same bytes and the same
 * stable signature, as long as mode, pin and valid secrets are the same.
 */
export const prepare = async (
  renderer: Renderer,
  clock: Clock,
  { event, destination, attempt, firstSentAt, replay, trace }: ToPrepare,
): Promise<Prepared> => {
  const at = clock.now();
  const then = firstSentAt === null ? null : renderingAt(destination, firstSentAt);
  const shape = shapeNow(destination, at, then);
  const rendered = await renderer.shape(event, shape);
  const redacted = then !== null && showsLess(then.piiMode, shape.mode, rendered.forgotten);
  const original = redacted || replay == null ? null : firstSentAt;
  const headers = {
    ...headersOf(event, { destination, attempt, version: rendered.version }),
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
      headers: { ...headers, ...signatures(event, body, { destination, at, original }) },
    },
  };
};

/** The stricter of then and now; the schema version of the original delivery. */
const shapeNow = (
  destination: DeliveryDestination,
  at: Instant,
  then: { readonly piiMode: Shape['mode']; readonly schemaVersion: string | null } | null,
): Shape => {
  const now = renderingAt(destination, at);
  return then === null
    ? { mode: now.piiMode, version: now.schemaVersion }
    : { mode: stricter(then.piiMode, now.piiMode), version: then.schemaVersion };
};

/** Whether the bytes differ from what was sent then. */
const showsLess = (then: Shape['mode'], now: Shape['mode'], forgotten: boolean): boolean =>
  now !== then || (forgotten && then !== 'minimal');

interface HeaderFacts {
  readonly destination: DeliveryDestination;
  readonly attempt: number;
  readonly version: string;
}

const headersOf = (
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
  /** A replay keeps the signatures of that moment beside the current ones. */
  readonly original: Instant | null;
}

const signatures = (
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
      secrets: stable.map(valueOf),
      timestamp: createdAt,
    }),
    'webhook-id': event.id,
    'webhook-timestamp': String(attemptedAt),
    'webhook-signature': standardSignature(signed, {
      secrets: valid.map(valueOf),
      timestamp: attemptedAt,
    }),
  };
};

const valueOf = ({ value }: SigningSecret): string => value;

const toUnixSeconds = (at: Instant): number => Math.floor(toMillis(at) / 1000);
