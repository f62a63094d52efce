import type { Clock } from '../../kernel/time';
import type { DeliveryDestination } from '../model/destination';
import { FairShare } from './fair-share';
import { Gate } from './gate';

/**
 * The gates of this process, one for each destination, created on first use. Live attempts and
 * replays use the same gate and so share the limits.
 */
export class Gates {
  private readonly share = new FairShare();
  private readonly gates = new Map<string, Gate>();

  constructor(private readonly clock: Clock) {}

  /** Returns how many milliseconds ago the last live attempt began, at any destination. */
  msSinceLiveStart(): number {
    return this.clock.monotonicMs() - this.share.lastLiveStartMs;
  }

  /** Counts the attempts in flight of each destination that has any: live, manual and replayed. */
  countInFlight(): ReadonlyMap<string, number> {
    const counts = [...this.gates].map(([id, gate]) => [id, gate.running] as const);
    return new Map(counts.filter(([, count]) => count > 0));
  }

  /**
   * Returns the gate of a destination and sets its current limits. A gate that a 410 closed opens if
   * the destination has been enabled since.
   */
  gateFor({ id, scope, maxInFlight, ratePerSecond, activeSince }: DeliveryDestination): Gate {
    const known = this.gates.get(id);
    const gate = known ?? new Gate(scope.tenantId, this.share, () => this.clock.monotonicMs());
    if (known === undefined) this.gates.set(id, gate);
    gate.limits = { maxInFlight, ratePerSecond };
    gate.openIfEnabled(activeSince);
    return gate;
  }
}
