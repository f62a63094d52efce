/** The first wait for a confirmation; it doubles with each one that does not come. */
const CONFIRM_FIRST_MS = 3_000;
const CONFIRM_LONGEST_MS = 30_000;
/** A subscription that was not confirmed for this long makes the process not ready. */
export const UNCONFIRMED_ALARM_MS = 30_000;

/** The server took the call and did not answer within the time limit. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed';
}

/** What is known of one subscription. Times are Unix milliseconds, null where there was none yet. */
export interface SubscriptionReport {
  readonly name: string;
  readonly confirmedAtMs: number | null;
  readonly lastEventAtMs: number | null;
  /** How long after it was stored the last event arrived. */
  readonly lagMs: number | null;
  /** For how long a confirmation has been missing; 0 where none is missing. */
  readonly unconfirmedForMs: number;
}

/**
 * One subscription as its consumer reports it. A confirmation is missing from the first try to open it,
 * or from its break, until the server confirms it or answers that another process has its place.
 */
export class WatchedSubscription {
  private confirmedAtMs: number | null = null;
  private lastEventAtMs: number | null = null;
  private lagMs: number | null = null;
  private waitingSinceMs: number | null = null;
  private limitMs = CONFIRM_FIRST_MS;

  constructor(readonly name: string) {}

  /** How long the next call may wait for its confirmation. */
  get confirmWithinMs(): number {
    return this.limitMs;
  }

  /** A call is being opened, or one that was open has broken. */
  waits(): void {
    this.waitingSinceMs ??= Date.now();
  }

  confirmed(): void {
    this.confirmedAtMs = Date.now();
    this.answered();
  }

  /** The server answered: nothing is to be received now, but nothing is wrong either. */
  answered(): void {
    this.waitingSinceMs = null;
    this.limitMs = CONFIRM_FIRST_MS;
  }

  /**
   * The call ended with an error. A server that ends a call is not silent: it may have started again
   * meanwhile, so the next call waits for its confirmation as briefly as the first one did.
   */
  broke(): void {
    this.waits();
    this.limitMs = CONFIRM_FIRST_MS;
  }

  notConfirmed(): NotConfirmed {
    const waitedMs = this.limitMs;
    this.limitMs = Math.min(waitedMs * 2, CONFIRM_LONGEST_MS);
    return new NotConfirmed(
      `the event store did not confirm the subscription within ${waitedMs} ms`,
    );
  }

  received(storedAtMs: number): void {
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

  reports(): SubscriptionReport[] {
    return [...this.open].map((watched) => watched.report());
  }

  /** Those whose confirmation has been missing for too long. */
  unconfirmed(): SubscriptionReport[] {
    return this.reports().filter(
      ({ unconfirmedForMs }) => unconfirmedForMs >= UNCONFIRMED_ALARM_MS,
    );
  }
}
