import { DAY_MS, HOUR_MS, type Instant, msBetween } from '../../kernel/time';
import type { FailureFacts } from '../model/destination';

/** D-63: a destination whose every attempt fails is warned about twice, then disabled. */
const WARN_AFTER_HOURS = [72, 24];
const DISABLE_AFTER_MS = 5 * DAY_MS;

/** What an outage calls for. */
export type Signal =
  { readonly kind: 'warn'; readonly hours: number } | { readonly kind: 'disable' } | null;

/** What a failed attempt means after failures since `since`, with no success between. Pure. */
export const signalOf = (since: Instant, failedAt: Instant): Signal => {
  const forMs = msBetween(since, failedAt);
  if (forMs >= DISABLE_AFTER_MS) return { kind: 'disable' };
  const hours = warningDue(since, failedAt);
  return hours === undefined ? null : { kind: 'warn', hours };
};

const warningDue = (since: Instant, now: Instant): number | undefined =>
  WARN_AFTER_HOURS.find((each) => msBetween(since, now) >= each * HOUR_MS);

/** How long a destination has been failing. */
export class Health {
  private failure: FailureFacts | null = null;

  /** As the journal knows it; null = it has not failed since its last success. */
  recover(failure: FailureFacts | null): void {
    this.failure = failure;
  }

  succeeded(): void {
    this.failure = null;
  }

  /** What is known of an outage, and what it calls for by its age alone: only a failure disables. */
  look(now: Instant): { readonly facts: FailureFacts; readonly hours: number } | null {
    if (this.failure === null) return null;
    const hours = warningDue(this.failure.since, now);
    return hours === undefined ? null : { facts: this.failure, hours };
  }

  /** A failed attempt: what is known of the outage now, and what it calls for. */
  failed(
    at: Instant,
    last: Pick<FailureFacts, 'lastStatus' | 'lastError'>,
  ): { readonly facts: FailureFacts; readonly signal: Signal } {
    const since = this.failure?.since ?? at;
    const facts = { since, ...last };
    this.failure = facts;
    return { facts, signal: signalOf(since, at) };
  }
}
