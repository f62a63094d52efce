import type { Attempted } from '../attempt/attempt';
import type { LatestDelivery } from '../journal/delivery-log';
import type { Outcome } from '../journal/journal';
import type { RequestedDelivery } from '../journal/recovery';
import type { Work } from '../journal/work';

/** A delivery that has ended, or the event id of one that is still pending. */
export type ManualRetry = RequestedDelivery | Pick<RequestedDelivery, 'eventId'>;

/** The functions of the consumer that manual retries use. */
interface RetryEngine {
  /** Waits until the delivery log has every journalled outcome, and returns the delivery. */
  readonly findLatest: (eventId: string) => Promise<LatestDelivery | null>;
  /** Makes an attempt. It throws if nothing was sent. */
  readonly attempt: (work: Work) => Promise<Attempted>;
  readonly journalAndAck: (
    work: Work,
    facts: Partial<Outcome> & Pick<Outcome, 'kind'>,
  ) => Promise<void>;
}

/**
 * The attempts that somebody asked for (D-66), in the order of the requests. They ignore the
 * schedule and the breaker but obey the limits of the destination. Two requests for a delivery that
 * waits are one attempt. A request for a delivery in flight is attempted after it.
 */
export class ManualRetries {
  private readonly waiting = new Map<string, ManualRetry>();
  /** Events of ended deliveries whose manual retry is in flight. */
  private readonly inFlight = new Set<string>();

  constructor(private readonly engine: RetryEngine) {}

  add(retry: ManualRetry): void {
    this.waiting.set(retry.eventId, retry);
  }

  /**
   * Drops all requests because another process owns the destination. The requests are stored in the
   * delivery log, where the owner finds them.
   */
  forgetWaiting(): void {
    this.waiting.clear();
  }

  /** The request that is next; null if none can be attempted now. */
  get first(): ManualRetry | null {
    for (const retry of this.waiting.values()) {
      if (!this.inFlight.has(retry.eventId)) return retry;
    }
    return null;
  }

  /** Removes and returns the request that is next. */
  takeFirst(): ManualRetry | null {
    const { first } = this;
    if (first !== null) this.waiting.delete(first.eventId);
    return first;
  }

  /** Makes one attempt at a delivery that has ended. */
  async retryEndedDelivery(request: RequestedDelivery): Promise<void> {
    const { eventId } = request;
    this.inFlight.add(eventId);
    try {
      const left = await this.attempt(request);
      if (this.waiting.has(eventId)) this.waiting.set(eventId, left);
    } catch {
      // The request stays in the delivery log. The next owner of the destination makes the attempt.
    } finally {
      this.inFlight.delete(eventId);
    }
  }

  /** Makes the attempt and journals it. A failure leaves the status of the delivery as it was. */
  private async attempt(asked: RequestedDelivery): Promise<RequestedDelivery> {
    const request = await this.update(asked);
    const { work, facts, verdict } = await this.engine.attempt({
      ...request,
      event: null,
      journalled: true,
    });
    const status = verdict.kind === 'delivered' ? 'delivered' : request.status;
    const kind = verdict.kind === 'delivered' ? 'delivered' : 'failed';
    const repeated = request.status === 'delivered' ? { repeated: true } : {};
    await this.engine.journalAndAck(work, { ...facts, kind, status, ...repeated });
    return { ...request, attempts: work.attempts, status };
  }

  /**
   * Returns the request with the current number of attempts and status of its delivery. They may have
   * changed since the request was made, for example by the attempt of another request.
   */
  private async update(request: RequestedDelivery): Promise<RequestedDelivery> {
    const latest = await this.engine.findLatest(request.eventId);
    if (latest === null || latest.status === 'pending') return request;
    const attempts = Math.max(request.attempts, latest.attempts);
    return { ...request, attempts, status: latest.status };
  }
}
