import type { EventStoreConnection } from '../../event-store/connection';
import type { Clock } from '../../kernel/time';
import type { Attempts } from '../attempt/attempt';
import type { DeliveryLog } from '../journal/delivery-log';
import type { Journal } from '../journal/journal';
import type { Destinations } from '../model/destination';
import type { Gates } from '../schedule/gates';

/** The services of the process that a consumer uses. */
export interface ConsumerParts {
  readonly connection: EventStoreConnection;
  readonly destinations: Destinations;
  readonly log: DeliveryLog;
  readonly journal: Journal;
  readonly attempts: Attempts;
  readonly gates: Gates;
  readonly clock: Clock;
}

/** The ownership of the destination: the group admits one subscription, and this process has it. */
export interface Ownership {
  /** The start of the ownership, on the monotonic clock. */
  readonly sinceMs: number;
  /** The signal aborts when the ownership is lost. From then on another process may deliver. */
  readonly signal: AbortSignal;
  /**
   * True once the waiting deliveries of earlier sessions are loaded. No attempt starts before that.
   */
  isReady: boolean;
}

/** The reason why an attempt starts. */
export interface AttemptOptions {
  /** True if the attempt tests whether an outage is over. */
  readonly isProbe: boolean;
  /** True if somebody asked for the attempt (D-66). It is not part of the retry schedule. */
  readonly isManual: boolean;
}
