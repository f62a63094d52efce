import { DAY_MS, HOUR_MS, type Instant, msBetween } from '../../kernel/time';
import type { FailureFacts } from '../model/destination';

/** D-63: a destination whose every attempt fails is warned about twice, then disabled. */
const WARN_AFTER_HOURS = [72, 24];
const DISABLE_AFTER_MS = 5 * DAY_MS;

/** The action that an outage requires. */
export type OutageAction =
  { readonly kind: 'warn'; readonly hours: number } | { readonly kind: 'disable' } | null;

/** Decides what to do when an attempt fails after an unbroken row of failures since `since`. */
export const decideAction = (since: Instant, failedAt: Instant): OutageAction => {
  const forMs = msBetween(since, failedAt);
  if (forMs >= DISABLE_AFTER_MS) return { kind: 'disable' };
  const hours = findDueWarning(since, failedAt);
  return hours === undefined ? null : { kind: 'warn', hours };
};

const findDueWarning = (since: Instant, now: Instant): number | undefined =>
  WARN_AFTER_HOURS.find((each) => msBetween(since, now) >= each * HOUR_MS);

/** Tracks for how long a destination has been failing. */
export class Health {
  private failure: FailureFacts | null = null;

  /** Sets the state that the journal shows; null = no failure since the last success. */
  recover(failure: FailureFacts | null): void {
    this.failure = failure;
  }

  recordSuccess(): void {
    this.failure = null;
  }

  /**
   * Returns the outage and the warning that its age requires, or null. Only a failed attempt
   * disables a destination, so time alone never does.
   */
  findDueWarning(now: Instant): { readonly facts: FailureFacts; readonly hours: number } | null {
    if (this.failure === null) return null;
    const hours = findDueWarning(this.failure.since, now);
    return hours === undefined ? null : { facts: this.failure, hours };
  }

  /** Records a failed attempt. Returns the outage and the action that it requires. */
  recordFailure(
    at: Instant,
    last: Pick<FailureFacts, 'lastStatus' | 'lastError'>,
  ): { readonly facts: FailureFacts; readonly action: OutageAction } {
    const since = this.failure?.since ?? at;
    const facts = { since, ...last };
    this.failure = facts;
    return { facts, action: decideAction(since, at) };
  }
}
