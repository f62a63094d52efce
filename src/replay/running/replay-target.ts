import { disableAsGone } from '../../delivery/live/gone-receiver';
import type { Outcome } from '../../delivery/journal/journal';
import type { DeliveryDestination, Destinations } from '../../delivery/model/destination';
import type { Gate, Pass } from '../../delivery/schedule/gate';
import type { Gates } from '../../delivery/schedule/gates';
import type { FailureReason } from '../../domain/replays/replay.events';
import type { Clock } from '../../kernel/time';

interface TargetParts {
  readonly destinations: Destinations;
  readonly gates: Gates;
  readonly clock: Clock;
}

/** The destination of a job, which may be disabled or deleted at any moment. */
export class ReplayTarget {
  /** Resolves when the destination that answered 410 is disabled. */
  private disabling: Promise<void> = Promise.resolve();

  constructor(
    private readonly id: string,
    private readonly parts: TargetParts,
  ) {}

  find(): DeliveryDestination | undefined {
    return this.parts.destinations.find(this.id);
  }

  /** Returns why nothing can be sent to a destination that is not found. */
  describeFailure(): FailureReason {
    return this.parts.destinations.isDeleted(this.id)
      ? 'destination_deleted'
      : 'destination_disabled';
  }

  /** True if an attempt that has been prepared may be sent. */
  maySend(): boolean {
    return this.findGate()?.isClosed === false;
  }

  /**
   * Returns whether the destination takes events. After a 410, this is known when its disabling is
   * stored.
   */
  async takesEvents(): Promise<boolean> {
    if (!this.maySend()) await this.findGate()?.waitUntilDisabled();
    return this.maySend();
  }

  /**
   * Waits until the limits of the destination admit an attempt; null if nothing may be sent now,
   * because the signal aborted or a live delivery was answered 410.
   */
  async admit(signal: AbortSignal): Promise<Pass | null> {
    // A gate rejects only when the signal aborts or the gate closes for good.
    return (
      (await this.findGate()
        ?.admitReplay(signal)
        .catch(() => null)) ?? null
    );
  }

  recordSuccess(): void {
    this.findGate()?.onReplayDelivered();
  }

  /** Stops every attempt at the destination, because it answered 410, and disables it. */
  disableAsGone(
    destination: DeliveryDestination,
    facts: Partial<Outcome>,
    isStopping: () => boolean,
  ): void {
    this.disabling = disableAsGone(this.parts, destination, facts, isStopping);
  }

  waitUntilDisabled(): Promise<void> {
    return this.disabling;
  }

  private findGate(): Gate | undefined {
    const destination = this.find();
    return destination === undefined ? undefined : this.parts.gates.gateFor(destination);
  }
}
