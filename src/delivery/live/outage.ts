import type { Instant } from '../../kernel/time';
import { reportFailure } from '../../event-store/failures';
import { Breaker } from './breaker';
import type { Destinations, FailureFacts } from '../model/destination';
import { Health } from './health';
import type { Outcome } from '../journal/journal';

/** How an attempt was answered. */
type Answer = Partial<Pick<Outcome, 'status_code' | 'error'>>;

export interface KnownOutage {
  /** Null = the last attempt succeeded. */
  readonly failure: FailureFacts | null;
  /** Events that have failed since then and wait for their retry. */
  readonly failing: readonly string[];
}

const lastOf = ({ status_code, error }: Answer): Omit<FailureFacts, 'since'> => ({
  lastStatus: status_code ?? null,
  lastError: error ?? null,
});

/** What a destination's failures come to: the breaker here and now, warnings and the end over days. */
export class Outage {
  private readonly breaker = new Breaker();
  private readonly health = new Health();
  /** The last warning this process has stated, so that not every failure states it again. */
  private warned = '';

  constructor(
    private readonly destinationId: string,
    private readonly destinations: Destinations,
  ) {}

  /** Nothing but a probe is to be sent. */
  get isOpen(): boolean {
    return this.breaker.isOpen;
  }

  /** When the next attempt may be made (monotonic); null = now. */
  get probeAtMs(): number | null {
    return this.breaker.probeAtMs;
  }

  /** What an earlier process knew: since when all attempts have failed, and of which events. */
  recover({ failure, failing }: KnownOutage, monotonicMs: number): void {
    this.health.recover(failure);
    this.breaker.recover(failing, monotonicMs, Math.random());
  }

  /** True when the outage has just ended: everything that waits may go. */
  succeeded(): boolean {
    this.health.succeeded();
    this.warned = '';
    return this.breaker.succeeded();
  }

  /**
   * `monotonicMs` is for the probes. `at` is when the attempt began, as the journal says it too: every
   * process sees the same outage.
   */
  failed(eventId: string, monotonicMs: number, facts: Answer & { readonly at: Instant }): void {
    this.breaker.failed(eventId, monotonicMs);
    const { facts: failure, signal } = this.health.failed(facts.at, lastOf(facts));
    if (signal === null) return;
    if (signal.kind === 'disable') {
      this.state(this.destinations.disable(this.destinationId, 'failing', failure));
      return;
    }
    this.warn(signal.hours, failure);
  }

  /** Warns when the time has come, whether anything is attempted or not. */
  look(now: Instant): void {
    const due = this.health.look(now);
    if (due !== null) this.warn(due.hours, due.facts);
  }

  private warn(hours: number, failure: FailureFacts): void {
    const warning = `${failure.since} ${hours}`;
    if (warning === this.warned) return;
    this.warned = warning;
    this.state(this.destinations.warn(this.destinationId, hours, failure));
  }

  /** 410: switched off at once (D-61). */
  async gone(at: Instant, facts: Answer): Promise<void> {
    await this.destinations.disable(this.destinationId, 'gone', { since: at, ...lastOf(facts) });
  }

  /** A decision that could not be stored is made again at the next failure. */
  private state(work: Promise<void>): void {
    void work.catch((error: unknown) => {
      this.warned = '';
      reportFailure('cannot store what an outage calls for', this.destinationId, error);
    });
  }
}
