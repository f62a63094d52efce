import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { mapPage, readPage } from '../../http/lists/keyset';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ImportDirectory } from '../../directories/import.directory';
import {
  type ImportResource,
  type ListAllImportsQuery,
  type ListImportErrorsQuery,
  type ListImportsQuery,
  type TenantImport,
  viewImport,
} from './import.dto';
import type { KnownImport } from '../../domain/imports/import.decider';
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

export class ListImports extends Query<Page<ImportResource>> {
  constructor(
    readonly scope: Scope,
    readonly query: ListImportsQuery,
  ) {
    super();
  }
}

export class ListAllImports extends Query<Page<TenantImport>> {
  constructor(readonly query: ListAllImportsQuery) {
    super();
  }
}

const toKey = ({ createdAt, id }: KnownImport) => ({ createdAt, id });

@QueryHandler(ListImports)
export class ListImportsHandler implements IQueryHandler<ListImports> {
  constructor(private readonly directory: ImportDirectory) {}

  async execute({ scope, query }: ListImports): Promise<Page<ImportResource>> {
    const page = await readMemoryPage(query, {
      name: 'imports',
      items: this.directory.listKnown(scope),
      filters: { scope: scopeName(scope) },
      keyOf: toKey,
    });
    return { ...page, data: page.data.map(viewImport) };
  }
}

@QueryHandler(ListAllImports)
export class ListAllImportsHandler implements IQueryHandler<ListAllImports> {
  constructor(private readonly directory: ImportDirectory) {}

  async execute({ query }: ListAllImports): Promise<Page<TenantImport>> {
    const { tenant_id } = query;
    const page = await readMemoryPage(query, {
      name: 'imports of all tenants',
      items: this.directory.listKnown(tenant_id === undefined ? {} : { tenantId: tenant_id }),
      filters: { tenant_id },
      keyOf: toKey,
    });
    const view = (each: KnownImport): TenantImport => ({
      tenant_id: each.scope.tenantId,
      environment: each.scope.environment,
      import: viewImport(each),
    });
    return { ...page, data: page.data.map(view) };
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
