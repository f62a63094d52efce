import type { StoredEvent } from '../../event-store/stored-event';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import type { ImportLineError } from '../../domain/imports/import.events';

const errorsTable: Table = { name: 'import_errors', key: ['scope', 'id'] };
const LINE_DIGITS = 12;

/** Projects the lines that could not be imported, for the report of the import. */
export class ImportProjection extends Projection {
  readonly name = 'imports';
  readonly tables = [errorsTable];

  project({ type, stream, data, metadata }: StoredEvent, changes: RowChanges): void {
    if (type !== 'import.progressed') return;
    const importId = stream.slice('import-'.length);
    for (const error of data['errors'] as unknown as readonly ImportLineError[]) {
      changes.upsert(errorsTable, {
        scope: importId,
        id: `${importId}.${String(error.line).padStart(LINE_DIGITS, '0')}`,
        created_at: metadata.at,
        ...error,
      });
    }
  }
}
