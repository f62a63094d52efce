import type { EventFilter } from '../../kernel/event-filter';
import type { Scope } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { PiiMode } from './render';

/** A signing secret and when it is valid: from `createdAt` until `expiresAt`, null = still current. */
export interface SigningSecret {
  readonly value: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
}

/** How events were rendered for a destination from an instant on. */
export interface Rendering {
  readonly from: Instant;
  readonly piiMode: PiiMode;
  /** The schema version it was pinned to; null = the current one. */
  readonly schemaVersion: string | null;
}

/** What an e-mail destination has instead of a URL (D-42). */
export interface MailTarget {
  readonly email: string;
  readonly replyToSubscriber: boolean;
  /** Null = `[{{data.topic}}] {{data.subject}}`. */
  readonly subjectTemplate: string | null;
}

/** Events that `resume_from: "now"` skipped, by category revision: from inclusive, to exclusive. */
export interface SkippedEvents {
  readonly from: number;
  readonly to: number;
}

/** What the delivery engine knows of a destination. */
export interface DeliveryDestination {
  readonly id: string;
  readonly scope: Scope;
  /** Empty for an e-mail destination. */
  readonly url: string;
  /** Null for a webhook. */
  readonly mail: MailTarget | null;
  readonly filter: EventFilter;
  /** All there ever were, newest first; none for an e-mail destination. */
  readonly secrets: readonly SigningSecret[];
  /** Newest first, never empty: the first is how events are rendered now. */
  readonly renderings: readonly Rendering[];
  /** Attempts under way at a time, live and replay together. */
  readonly maxInFlight: number;
  /** Attempts per second, live and replay together; null = no limit. */
  readonly ratePerSecond: number | null;
  readonly ordering: 'relaxed' | 'strict';
  /** Whether its webhooks have a `traceparent`. */
  readonly sendsTraceHeaders: boolean;
  /** First category revision its group delivers. */
  readonly startRevision: number;
  /** Commit position of its registration: earlier events are not for it. */
  readonly registeredAtPosition: bigint;
  /** When it was registered, enabled or restored, whichever came last: an outage begins after that. */
  readonly activeSince: Instant;
  readonly skipped: readonly SkippedEvents[];
}

/** The group of a destination that is gone for good. */
export type GoneDestination = Pick<DeliveryDestination, 'id' | 'scope'>;

/** What is known when a destination keeps failing. */
export interface FailureFacts {
  /** The first failed attempt since the last success. */
  readonly since: Instant;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/** Where the engine finds its destinations; implemented by the destinations feature. */
export abstract class Destinations {
  /** Those that receive deliveries now. */
  abstract active(): readonly DeliveryDestination[];
  /** One that receives deliveries now. */
  abstract find(id: string): DeliveryDestination | undefined;
  /** Whether it was deleted, for good or restorable. */
  abstract isDeleted(id: string): boolean;
  /** Deleted for good, or not restored in time: their groups are to be removed. */
  abstract gone(): readonly GoneDestination[];
  abstract whenReady(signal: AbortSignal): Promise<void>;
  /** Resolves at the next change of any destination. */
  abstract nextChange(signal: AbortSignal): Promise<void>;
  /** 410 (`gone`) or five days of failure (`failing`) switch a destination off (D-61, D-63). */
  abstract disable(id: string, reason: 'gone' | 'failing', facts: FailureFacts): Promise<void>;
  /** States a warning once: it has failed for this many hours (D-63). */
  abstract warn(id: string, hours: number, facts: FailureFacts): Promise<void>;
}

/** The secrets to sign with now, newest first; the current one always, whatever the clocks say. */
export const validSecrets = (
  { secrets }: Pick<DeliveryDestination, 'secrets'>,
  now: Instant,
): readonly SigningSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || now < expiresAt);

/** The secrets that were valid at an earlier instant, newest first. */
export const secretsAt = (
  { secrets }: Pick<DeliveryDestination, 'secrets'>,
  at: Instant,
): readonly SigningSecret[] =>
  secrets.filter(
    ({ createdAt, expiresAt }) => createdAt <= at && (expiresAt === null || at < expiresAt),
  );

/** How the destination rendered events at an instant; before its first change, as at the start. */
export const renderingAt = (
  { renderings }: Pick<DeliveryDestination, 'renderings'>,
  at: Instant,
): Rendering => {
  const found = renderings.find(({ from }) => from <= at) ?? renderings.at(-1);
  if (found === undefined) throw new Error('a destination without a rendering');
  return found;
};
