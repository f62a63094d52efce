import { GROWING_WAITS, growWait } from '../kernel/retry-policies';

const CONFIRMATION = GROWING_WAITS.confirmation;
/** A subscription without confirmation for this long makes the process not ready. */
export const UNCONFIRMED_ALARM_MS = 30_000;

/** Thrown when the server accepted the call but did not confirm the subscription in time. */
export class SubscriptionNotConfirmed extends Error {
  override readonly name = 'SubscriptionNotConfirmed';
}

/** The state of one subscription. Times are Unix milliseconds, null if there was none yet. */
export interface SubscriptionReport {
  readonly name: string;
  readonly confirmedAtMs: number | null;
  readonly lastEventAtMs: number | null;
  /** The time between storing and receiving the last event. */
  readonly lagMs: number | null;
  /** The time for which a confirmation has been missing; 0 if none is missing. */
  readonly unconfirmedForMs: number;
}

/**
 * The state of one subscription as its consumer reports it. A confirmation is missing from the
 * first call, or from a break, until the server confirms the subscription or answers that another
 * process owns the group.
 */
export class WatchedSubscription {
  private confirmedAtMs: number | null = null;
  private lastEventAtMs: number | null = null;
  private lagMs: number | null = null;
  private waitingSinceMs: number | null = null;
  private limitMs: number = CONFIRMATION.firstMs;

  constructor(readonly name: string) {}

  /** Time limit for the confirmation of the next call. */
  get confirmWithinMs(): number {
    return this.limitMs;
  }

  /** Records that a call is being opened, or that an open one broke. */
  recordOpening(): void {
    this.waitingSinceMs ??= Date.now();
  }

  recordConfirmation(): void {
    this.confirmedAtMs = Date.now();
    this.recordAnswer();
  }

  /**
   * Records a response of the server. There may be nothing to receive, but nothing is wrong either.
   */
  recordAnswer(): void {
    this.waitingSinceMs = null;
    this.limitMs = CONFIRMATION.firstMs;
  }

  /**
   * Records that the call ended with an error. A server that ends a call may have restarted, so the
   * next call has a short time limit for its confirmation, like the first one.
   */
  recordBreak(): void {
    this.recordOpening();
    this.limitMs = CONFIRMATION.firstMs;
  }

  recordTimeout(): SubscriptionNotConfirmed {
    const waitedMs = this.limitMs;
    this.limitMs = growWait(CONFIRMATION, waitedMs);
    return new SubscriptionNotConfirmed(
      `the event store did not confirm the subscription within ${waitedMs} ms`,
    );
  }

  recordEvent(storedAtMs: number): void {
    this.lastEventAtMs = Date.now();
    this.lagMs = Math.max(0, this.lastEventAtMs - storedAtMs);
  }

  report(): SubscriptionReport {
    const { name, confirmedAtMs, lastEventAtMs, lagMs, waitingSinceMs } = this;
    const unconfirmedForMs = waitingSinceMs === null ? 0 : Date.now() - waitingSinceMs;
    return { name, confirmedAtMs, lastEventAtMs, lagMs, unconfirmedForMs };
  }
}

/** All subscriptions of the process, for readiness and metrics. */
export class SubscriptionWatch {
  private readonly open = new Set<WatchedSubscription>();

  add(name: string): WatchedSubscription {
    const watched = new WatchedSubscription(name);
    this.open.add(watched);
    return watched;
  }

  remove(watched: WatchedSubscription): void {
    this.open.delete(watched);
  }

  listReports(): SubscriptionReport[] {
    return [...this.open].map((watched) => watched.report());
  }

  /** Returns the subscriptions whose confirmation has been missing for too long. */
  listUnconfirmed(): SubscriptionReport[] {
    return this.listReports().filter(
      ({ unconfirmedForMs }) => unconfirmedForMs >= UNCONFIRMED_ALARM_MS,
    );
  }
}
