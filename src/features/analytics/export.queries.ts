import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { isStorable } from '../../http/fields/raw-input';
import { DomainError } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import { parseInstant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import type { ExportChunk, AnalyticsView } from './analytics.dto';

export class ExportRows extends Query<ExportChunk> {
  constructor(
    readonly scope: Scope,
    readonly view: AnalyticsView,
    readonly chunk: { readonly rows: number; readonly after: string | undefined },
  ) {
    super();
  }
}

interface Row {
  readonly id: string;
  readonly created_at: string;
  readonly scope: string;
}

/** Exports a view in chunks, oldest rows first. Rows that are added meanwhile come at the end. */
@QueryHandler(ExportRows)
export class ExportRowsHandler implements IQueryHandler<ExportRows> {
  constructor(private readonly database: Database) {}

  async execute({ scope, view, chunk }: ExportRows): Promise<ExportChunk> {
    const [at, id] = chunk.after === undefined ? ['-infinity', ''] : parseCursor(chunk.after);
    const rows = await this.database.query<Row>({
      name: `export ${view}`,
      text: `select * from analytics.${view}
        where scope = $1 and (created_at, id) > ($2::timestamptz, $3)
        order by created_at, id limit $4`,
      values: [scopeName(scope), at, id, chunk.rows],
    });
    const last = rows.at(-1);
    return {
      data: rows.map(({ scope: _, ...row }) => row),
      next: last === undefined || rows.length < chunk.rows ? null : createCursor(last),
    };
  }
}

/**
 * Builds the cursor from the last row of a chunk. Rows keep times to the millisecond, as the log
 * does.
 */
const createCursor = ({ created_at, id }: Row): string =>
  Buffer.from(JSON.stringify([created_at, id])).toString('base64url');

const parseCursor = (after: string): [string, string] => {
  try {
    const [at, id] = JSON.parse(Buffer.from(after, 'base64url').toString()) as unknown[];
    if (typeof at === 'string' && typeof id === 'string' && isStorable(id)) {
      if (parseInstant(at) !== null) return [at, id];
    }
  } catch {
    // A cursor that is no JSON is refused below, like one with wrong values.
  }
  throw new DomainError('invalid_cursor', 'after is not the next of an earlier chunk.', {
    param: 'after',
  });
};
