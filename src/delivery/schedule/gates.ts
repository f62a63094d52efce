import type { Clock } from '../../kernel/time';
import type { DeliveryDestination } from '../model/destination';
import { FairShare } from './fair-share';
import { Gate } from './gate';

/**
 * The gates of this process, one for each destination, made when first asked for. Whoever attempts
 * a delivery, live or replay, gets the same gate and so shares its limits.
 */
export class Gates {
  private readonly share = new FairShare();
  private readonly gates = new Map<string, Gate>();

  constructor(private readonly clock: Clock) {}

  /** How long ago the last live attempt began, whatever its destination. */
  sinceLiveMs(): number {
    return this.clock.monotonicMs() - this.share.liveAtMs;
  }

  /** The destination's gate, with the limits it has now. */
  of({ id, scope, maxInFlight, ratePerSecond }: DeliveryDestination): Gate {
    const known = this.gates.get(id);
    const gate = known ?? new Gate(scope.tenantId, this.share, () => this.clock.monotonicMs());
    if (known === undefined) this.gates.set(id, gate);
    gate.limits = { maxInFlight, ratePerSecond };
    return gate;
  }
}
