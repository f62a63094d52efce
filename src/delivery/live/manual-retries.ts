import type { Attempted } from '../attempt/attempt';
import type { Outcome } from '../journal/journal';
import type { RequestedDelivery } from '../journal/recovery';
import type { Work } from '../journal/work';

/** A delivery that has ended; or, by its event alone, one that is pending. */
export type ManualRetry = RequestedDelivery | Pick<RequestedDelivery, 'eventId'>;

/** The consumer's, as far as retries need it. */
interface Engine {
  /** Makes an attempt; throws where nothing was sent. */
  readonly attempt: (work: Work) => Promise<Attempted>;
  readonly record: (work: Work, facts: Partial<Outcome> & Pick<Outcome, 'kind'>) => Promise<void>;
}

/**
 * What somebody wants attempted now (D-66), in the order it was asked for. It is beside the schedule
 * and the breaker, not beside the destination's limits: the consumer takes the next when its gate lets
 * it. Asked for twice while it waits is once; while it is attempted, once more after that.
 */
export class ManualRetries {
  private readonly waiting = new Map<string, ManualRetry>();
  /** Ended deliveries that are attempted now. */
  private readonly underWay = new Set<string>();

  constructor(private readonly engine: Engine) {}

  ask(retry: ManualRetry): void {
    this.waiting.set(retry.eventId, retry);
  }

  /** Another process has the place: what was asked for stands in the delivery log. */
  forgetWaiting(): void {
    this.waiting.clear();
  }

  /** The one whose turn it is; null = none that may be made now. */
  get first(): ManualRetry | null {
    for (const retry of this.waiting.values()) {
      if (!this.underWay.has(retry.eventId)) return retry;
    }
    return null;
  }

  /** Takes the one whose turn it is. */
  next(): ManualRetry | null {
    const { first } = this;
    if (first !== null) this.waiting.delete(first.eventId);
    return first;
  }

  /** One attempt at a delivery that has ended. */
  async make(request: RequestedDelivery): Promise<void> {
    const { eventId } = request;
    this.underWay.add(eventId);
    try {
      const left = await this.attempt(request);
      if (this.waiting.has(eventId)) this.waiting.set(eventId, left);
    } catch {
      // The request stays in the delivery log; whoever holds the group's place next makes it.
    } finally {
      this.underWay.delete(eventId);
    }
  }

  /** A failure leaves the delivery's status as it was. */
  private async attempt(request: RequestedDelivery): Promise<RequestedDelivery> {
    const { work, facts, verdict } = await this.engine.attempt({
      ...request,
      event: null,
      journalled: true,
    });
    const status = verdict.kind === 'delivered' ? 'delivered' : request.status;
    const kind = verdict.kind === 'delivered' ? 'delivered' : 'failed';
    const repeated = request.status === 'delivered' ? { repeated: true } : {};
    await this.engine.record(work, { ...facts, kind, status, ...repeated });
    return { ...request, attempts: work.attempts, status };
  }
}
