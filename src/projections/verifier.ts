import { requirePresent } from '../kernel/present';
import type { EventStoreConnection } from '../event-store/connection';
import { readStream } from '../event-store/read';
import type { StoredEvent } from '../event-store/stored-event';
import type { Database } from '../read-models/database';
import { type Difference, NON_LOG_COLUMNS } from './difference';
import type { Projection } from './projection';
import type { Projector } from './projector';
import { type Row, RowChanges, type Table } from './rows';

/** A row that differs may have changed during the comparison, so it is compared again. */
const ATTEMPTS_MAX = 3;

export interface Verification {
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
 * Finds rows that differ from the log. It projects one stream again and compares the resulting rows
 * with the stored ones. It cannot check a row that counts events of many streams; a rebuild with
 * `compare` checks those.
 */
export class Verifier {
  constructor(private readonly parts: VerifierParts) {}

  async verify(stream: string): Promise<Verification> {
    let found: Verification = { events: 0, rows: 0, differences: [] };
    for (let look = 0; look < ATTEMPTS_MAX; look += 1) {
      found = await this.verifyOnce(stream);
      if (found.differences.length === 0) break;
    }
    return found;
  }

  private async verifyOnce(stream: string): Promise<Verification> {
    const { connection, projector } = this.parts;
    await projector.refreshCheckpoint();
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
    for (const [table, expected] of changes.listPending()) {
      rows += expected.length;
      differences.push(...(await this.compare(table, expected)));
    }
    return { events, rows, differences };
  }

  private project(event: StoredEvent, changes: RowChanges): void {
    for (const projection of this.parts.projections) projection.project(event, changes);
  }

  private findProjectionName(table: Table): string {
    const owner = this.parts.projections.find(({ tables }) => tables.includes(table));
    return requirePresent(owner, `the projection of ${table.name}`).name;
  }

  private async compare(table: Table, expected: readonly Row[]): Promise<Difference[]> {
    const found = await Promise.all(expected.map((row) => this.compareRow(table, row)));
    return found.flat();
  }

  /**
   * Compares a row with the stored one. PostgreSQL converts both to the types of the columns, so
   * only values are compared.
   */
  private async compareRow(table: Table, row: Row): Promise<Difference[]> {
    const columns = Object.keys(row).filter((name) => !NON_LOG_COLUMNS.includes(name));
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
    return [
      { projection: this.findProjectionName(table), table: table.name, key, columns: different },
    ];
  }
}
