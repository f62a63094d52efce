import type { Clock, Instant } from '../../kernel/time';
import type { TraceContext } from '../../kernel/trace';
import type { PreparedAttempt } from '../model/channel';
import { type DeliveryDestination, findRenderingAt } from '../model/destination';
import {
  type Deliverable,
  type Renderer,
  type RenderOptions,
  chooseStricterMode,
} from '../model/render';

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

/**
 * Renders an event for an attempt in the destination's PII mode and schema version (D-60, T1, T9).
 * The same event to the same destination gives the same envelope as long as mode and pinned version
 * are unchanged.
 */
export const prepareAttempt = async (
  renderer: Renderer,
  clock: Clock,
  { event, destination, attempt, firstSentAt, replay, trace }: TracedAttemptRequest,
): Promise<PreparedAttempt> => {
  const at = clock.now();
  const first = firstSentAt === null ? null : findRenderingAt(destination, firstSentAt);
  const options = chooseRenderOptions(destination, at, first);
  const rendered = await renderer.renderAs(event, options);
  const redacted = first !== null && isRedacted(first.piiMode, options.mode, rendered.isErased);
  const original = redacted || replay == null ? null : firstSentAt;
  return {
    event,
    destination,
    attempt,
    at,
    envelope: rendered.envelope,
    version: rendered.version,
    isRedacted: redacted,
    original,
    replay: replay ?? null,
    trace,
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
  const now = findRenderingAt(destination, at);
  return first === null
    ? { mode: now.piiMode, version: now.schemaVersion }
    : { mode: chooseStricterMode(first.piiMode, now.piiMode), version: first.schemaVersion };
};

/** True if the request shows less than the first delivery did. */
const isRedacted = (
  first: RenderOptions['mode'],
  now: RenderOptions['mode'],
  isErased: boolean,
): boolean => now !== first || (isErased && first !== 'minimal');
