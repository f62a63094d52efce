import type { StoredEvent } from '../event-store/stored-event';
import type { RowChanges, Table } from './rows';

/**
 * Converts events to rows of tables. Events carry the state after them, so a projection copies and
 * does not compute. Applying an event twice must give the same rows, and the specs deliver each
 * event twice.
 */
export abstract class Projection {
  abstract readonly name: string;
  /** Every table that it writes. A rebuild builds these tables again. */
  abstract readonly tables: readonly Table[];
  abstract project(event: StoredEvent, changes: RowChanges): void;
}

/** All projections, as the features contribute them. */
export class Projections {
  constructor(readonly all: readonly Projection[]) {}
}
