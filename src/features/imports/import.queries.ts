import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { mapPage, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import type { Scope } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ImportDirectory } from '../../directories/import.directory';
import type { ListImportErrorsQuery } from './import.dto';
import type { ImportLineError } from '../../domain/imports/import.events';

export class ListImportErrors extends Query<Page<ImportLineError>> {
  constructor(
    readonly scope: Scope,
    readonly importId: string,
    readonly query: ListImportErrorsQuery,
  ) {
    super();
  }
}

type Row = ImportLineError & { readonly id: string; readonly created_at: Instant };

/** Lists the errors in the order of the lines. */
@QueryHandler(ListImportErrors)
export class ListImportErrorsHandler implements IQueryHandler<ListImportErrors> {
  constructor(
    private readonly database: Database,
    private readonly directory: ImportDirectory,
  ) {}

  async execute({ scope, importId, query }: ListImportErrors): Promise<Page<ImportLineError>> {
    const { id } = this.directory.require(scope, importId);
    const page = await readPage<Row>(
      this.database,
      {
        from: 'import_errors',
        columns: 'id, created_at, line, code, param, message',
        scope: id,
        conditions: [],
      },
      {
        ...(query.limit === undefined ? {} : { limit: query.limit }),
        ...(query.starting_after === undefined ? {} : { starting_after: query.starting_after }),
        ...(query.ending_before === undefined ? {} : { ending_before: query.ending_before }),
        order: 'asc',
      },
    );
    return mapPage(page, ({ line, code, param, message }) => ({ line, code, param, message }));
  }
}
