import type { DestinationTarget } from '../../domain/destinations/destination-kinds';
import type { EventFilter } from '../../kernel/event-filter';
import type { Scope } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { PiiMode } from './render';

/**
 * A signing secret. It is valid from `createdAt` until `expiresAt`; null = it is the current one.
 */
export interface SigningSecret {
  readonly value: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
}

/** The way events are rendered for a destination from an instant on. */
export interface Rendering {
  readonly from: Instant;
  readonly piiMode: PiiMode;
  /** The pinned schema version; null = the current version. */
  readonly schemaVersion: string | null;
}

/** Events that `resume_from: "now"` skipped, by category revision: from inclusive, to exclusive. */
export interface SkippedEvents {
  readonly from: number;
  readonly to: number;
}

/** A destination as the delivery engine uses it. */
export interface DeliveryDestination {
  readonly id: string;
  readonly scope: Scope;
  readonly target: DestinationTarget;
  /**
   * All signing secrets, current and expired, newest first. Empty for a kind that signs nothing.
   */
  readonly secrets: readonly SigningSecret[];
  readonly filter: EventFilter;
  /** Renderings, newest first and never empty. The first one is current. */
  readonly renderings: readonly Rendering[];
  /** Maximum of attempts in flight, live and replayed together. */
  readonly maxInFlight: number;
  /** Maximum of attempts per second, live and replayed together; null = no limit. */
  readonly ratePerSecond: number | null;
  readonly ordering: 'relaxed' | 'strict';
  /** True if its webhooks have the header `traceparent`. */
  readonly sendsTraceHeaders: boolean;
  /** First category revision that its group delivers. */
  readonly startRevision: number;
  /** Commit position of its registration. Earlier events are not delivered to it. */
  readonly registeredAtPosition: bigint;
  /** The last time it was registered, enabled or restored. An outage begins after that. */
  readonly activeSince: Instant;
  readonly skipped: readonly SkippedEvents[];
}

/** A destination that is deleted for good, whose group is to be removed. */
export type PermanentlyDeletedDestination = Pick<DeliveryDestination, 'id' | 'scope'>;

/** The facts about a destination that keeps failing. */
export interface FailureFacts {
  /** Time of the first failed attempt since the last success. */
  readonly since: Instant;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

/** The destinations of the delivery engine. The destination directory implements it. */
export abstract class Destinations {
  /** Returns the destinations that receive deliveries now. */
  abstract listActive(): readonly DeliveryDestination[];
  /** Returns a destination that receives deliveries now. */
  abstract find(id: string): DeliveryDestination | undefined;
  /** True if the destination was deleted, for good or restorable. */
  abstract isDeleted(id: string): boolean;
  /**
   * Returns the destinations that were deleted for good or not restored in time. Their groups are
   * to be removed.
   */
  abstract listPermanentlyDeleted(): readonly PermanentlyDeletedDestination[];
  abstract waitUntilReady(signal: AbortSignal): Promise<void>;
  /** Increases with every change of any destination. */
  abstract get version(): number;
  /** Resolves when any destination has changed since a version. */
  abstract waitUntilChanged(since: number, signal: AbortSignal): Promise<void>;
  /**
   * Disables a destination after a 410 (`gone`) or five days of failures (`failing`) (D-61, D-63).
   */
  abstract disable(id: string, reason: 'gone' | 'failing', facts: FailureFacts): Promise<void>;
  /** Stores a warning once: the destination has failed for this many hours (D-63). */
  abstract storeWarning(id: string, hours: number, facts: FailureFacts): Promise<void>;
}

/**
 * Returns the secrets that are valid now, newest first. The current one is always included, even if
 * clocks differ.
 */
export const selectValidSecrets = (
  { secrets }: Pick<DeliveryDestination, 'secrets'>,
  now: Instant,
): readonly SigningSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || now < expiresAt);

/** Returns the secrets that were valid at an earlier instant, newest first. */
export const selectSecretsAt = (
  { secrets }: Pick<DeliveryDestination, 'secrets'>,
  at: Instant,
): readonly SigningSecret[] =>
  secrets.filter(
    ({ createdAt, expiresAt }) => createdAt <= at && (expiresAt === null || at < expiresAt),
  );

/**
 * Returns how the destination rendered events at an instant. Before its first change this is its
 * first rendering.
 */
export const findRenderingAt = (
  { renderings }: Pick<DeliveryDestination, 'renderings'>,
  at: Instant,
): Rendering => {
  const found = renderings.find(({ from }) => from <= at) ?? renderings.at(-1);
  if (found === undefined)
    throw new Error('a destination has no rendering: its registration event is missing');
  return found;
};
