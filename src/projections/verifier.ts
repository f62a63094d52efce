import type { EventStoreConnection } from '../event-store/connection';
import { readStream } from '../event-store/read';
import type { StoredEvent } from '../event-store/stored-event';
import type { Database } from '../read-models/database';
import { type Difference, NOT_FROM_THE_LOG } from './difference';
import type { Projection } from './projection';
import type { Projector } from './projector';
import { type Row, RowChanges, type Table } from './rows';

/** A row that differs may just have moved on: it is looked at again. */
const LOOKS_MAX = 3;

export interface Verified {
  readonly events: number;
  readonly rows: number;
  readonly differences: readonly Difference[];
}

interface VerifierParts {
  readonly connection: EventStoreConnection;
  readonly database: Database;
  readonly projections: readonly Projection[];
  readonly projector: Projector;
}

/**
 * Finds drift: projects one stream again, from its events in the log, and compares each row that
 * gives with the row that is there. What a projection counts over many streams, only the whole log
 * tells: `compare` of a rebuild.
 */
export class Verifier {
  constructor(private readonly parts: VerifierParts) {}

  async verify(stream: string): Promise<Verified> {
    let found: Verified = { events: 0, rows: 0, differences: [] };
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      found = await this.look(stream);
      if (found.differences.length === 0) break;
    }
    return found;
  }

  private async look(stream: string): Promise<Verified> {
    const { connection, projector } = this.parts;
    await projector.look();
    const upTo = projector.projectedTo();
    const changes = new RowChanges();
    let events = 0;
    for await (const event of readStream(connection.client, stream)) {
      if (event.position > upTo) break;
      this.project(event, changes);
      events += 1;
    }
    let rows = 0;
    const differences: Difference[] = [];
    for (const [table, expected] of changes.pending()) {
      rows += expected.length;
      differences.push(...(await this.compare(table, expected)));
    }
    return { events, rows, differences };
  }

  private project(event: StoredEvent, changes: RowChanges): void {
    for (const projection of this.parts.projections) projection.project(event, changes);
  }

  private nameOf(table: Table): string {
    return this.parts.projections.find(({ tables }) => tables.includes(table))?.name ?? '';
  }

  private async compare(table: Table, expected: readonly Row[]): Promise<Difference[]> {
    const found = await Promise.all(expected.map((row) => this.compareRow(table, row)));
    return found.flat();
  }

  /** PostgreSQL reads both by the table's own column types, so that only values are compared. */
  private async compareRow(table: Table, row: Row): Promise<Difference[]> {
    const columns = Object.keys(row).filter((name) => !NOT_FROM_THE_LOG.includes(name));
    const same = table.key.map((column) => `t.${column} = r.${column}`).join(' and ');
    const compared = columns.map(
      (name) => `to_jsonb(t.${name}) is not distinct from to_jsonb(r.${name}) as ${name}`,
    );
    const [result] = await this.parts.database.query<Record<string, boolean>>({
      text: `select ${compared.join(', ')} from json_populate_record(null::${table.name}, $1) r
        ${table.perishable === true ? '' : 'left'} join ${table.name} t on ${same}`,
      values: [JSON.stringify(row)],
    });
    const different = result === undefined ? [] : columns.filter((name) => result[name] !== true);
    if (different.length === 0) return [];
    const key = Object.fromEntries(table.key.map((column) => [column, row[column]]));
    return [{ projection: this.nameOf(table), table: table.name, key, columns: different }];
  }
}
