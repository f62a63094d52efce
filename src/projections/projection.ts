import type { StoredEvent } from '../event-store/stored-event';
import type { RowChanges, Table } from './rows';

/**
 * How events become rows of some tables. Events carry the state they led to, so a projection copies
 * and does not compute. Applying an event twice must give the same rows (specs deliver each twice).
 */
export abstract class Projection {
  abstract readonly name: string;
  /** Every table it writes: what a rebuild builds anew. */
  abstract readonly tables: readonly Table[];
  abstract project(event: StoredEvent, changes: RowChanges): void;
}

/** All projections, as the features contribute them. */
export class Projections {
  constructor(readonly all: readonly Projection[]) {}
}
