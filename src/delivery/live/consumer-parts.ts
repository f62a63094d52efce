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
