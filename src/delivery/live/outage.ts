import type { Instant } from '../../kernel/time';
import { reportFailure } from '../../event-store/failures';
import { Breaker } from './breaker';
import type { Destinations, FailureFacts } from '../model/destination';
import { Health } from './health';
import type { Outcome } from '../journal/journal';

/** The receiver's response to a failed attempt, or the error. */
type FailedAttempt = Partial<Pick<Outcome, 'status_code' | 'error'>>;

/** The outage that an earlier process recorded. */
export interface KnownOutage {
  /** Facts about the outage; null if the last attempt succeeded. */
  readonly failure: FailureFacts | null;
  /** Ids of events that have failed since then and wait for their retry. */
  readonly failing: readonly string[];
}

const toFailureFacts = ({ status_code, error }: FailedAttempt): Omit<FailureFacts, 'since'> => ({
  lastStatus: status_code ?? null,
  lastError: error ?? null,
});

/**
 * Handles the failures of one destination: the breaker stops attempts within seconds; warnings and
 * the disabling follow after days.
 */
export class Outage {
  private readonly breaker = new Breaker();
  private readonly health = new Health();
  /**
   * The last warning that this process has stored. It prevents every failure from storing it again.
   */
  private lastWarning = '';

  constructor(
    private readonly destinationId: string,
    private readonly destinations: Destinations,
  ) {}

  /** True if only probes may be sent. */
  get isOpen(): boolean {
    return this.breaker.isOpen;
  }

  /** The time of the next probe on the monotonic clock; null if any attempt may be made now. */
  get probeAtMs(): number | null {
    return this.breaker.probeAtMs;
  }

  /** Continues an outage that an earlier process recorded. */
  recover({ failure, failing }: KnownOutage, monotonicMs: number): void {
    this.health.recover(failure);
    this.breaker.recover(failing, monotonicMs, Math.random());
  }

  /**
   * Records a successful attempt. Returns true if it ended an outage, so that everything that waits
   * may be sent.
   */
  recordSuccess(): boolean {
    this.health.recordSuccess();
    this.lastWarning = '';
    return this.breaker.recordSuccess();
  }

  /**
   * Records a failed attempt. `monotonicMs` schedules the probes. `at` is the start of the attempt
   * as the journal has it, so every process computes the same outage.
   */
  recordFailure(
    eventId: string,
    monotonicMs: number,
    facts: FailedAttempt & { readonly at: Instant },
  ): void {
    this.breaker.recordFailure(eventId, monotonicMs);
    const { facts: failure, action: signal } = this.health.recordFailure(
      facts.at,
      toFailureFacts(facts),
    );
    if (signal === null) return;
    if (signal.kind === 'disable') {
      this.logIfNotStored(this.destinations.disable(this.destinationId, 'failing', failure));
      return;
    }
    this.warn(signal.hours, failure);
  }

  /** Sends a warning if one is due, whether anything is attempted or not. */
  warnIfDue(now: Instant): void {
    const due = this.health.findDueWarning(now);
    if (due !== null) this.warn(due.hours, due.facts);
  }

  private warn(hours: number, failure: FailureFacts): void {
    const warning = `${failure.since} ${hours}`;
    if (warning === this.lastWarning) return;
    this.lastWarning = warning;
    this.logIfNotStored(this.destinations.storeWarning(this.destinationId, hours, failure));
  }

  /**
   * Logs an error if the decision could not be stored. The next failure makes the decision again.
   */
  private logIfNotStored(work: Promise<void>): void {
    void work.catch((error: unknown) => {
      this.lastWarning = '';
      reportFailure(
        'cannot store the warning or disabling of a failing destination: the next failure stores it',
        this.destinationId,
        error,
      );
    });
  }
}
