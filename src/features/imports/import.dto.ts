import { type Static, Type } from '@sinclair/typebox';
import { Id, Int, QueryFlag } from '../../http/fields/fields';
import { ObjectList } from '../../http/fields/list-fields';
import { PageParameters } from '../../http/lists/list-query';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import type { KnownImport } from '../../domain/imports/import.decider';
import { ENVIRONMENTS } from '../../kernel/scope';

export class CreateImportQuery {
  @QueryFlag({
    optional: true,
    default: false,
    description: 'Whether destinations receive the imported history.',
  })
  readonly deliver?: boolean;
}

/**
 * Maximum number of lines in a JSON body. A body has at most 5,000 values, and a line has about
 * twenty fields.
 */
const JSON_LINES_MAX = 200;

/** A short import as one JSON body. Longer ones are sent as `application/x-ndjson`. */
export class ImportLinesBody {
  @ObjectList({
    itemsMin: 1,
    itemsMax: JSON_LINES_MAX,
    description: `The lines to import, in their order: at most ${JSON_LINES_MAX}. Send more lines as \`application/x-ndjson\`.`,
    example: [{ kind: 'subscriber', external_id: 'crm-1', email: 'ada@example.com' }],
  })
  readonly lines!: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Maximum number of subscribers in one request. More would slow down other requests for minutes.
 */
const SEEDED_SUBSCRIBERS_MAX = 100_000;

export class SeedBody {
  @Int({ min: 1, max: SEEDED_SUBSCRIBERS_MAX, example: 1_000 })
  readonly subscribers!: number;
}

export class ListImportErrorsQuery extends PageParameters {}

export class ListImportsQuery extends PageParameters {}

export class ListAllImportsQuery extends PageParameters {
  @Id({ optional: true, description: 'Only this tenant.' })
  readonly tenant_id?: string;
}

export const ImportResource = Type.Object(
  {
    id: Type.String({ example: 'imp_0k3v9c2m8x7q1z5n' }),
    status: oneOf(['queued', 'in_progress', 'completed', 'completed_with_errors', 'failed']),
    deliver: Type.Boolean(),
    lines_total: Type.Integer(),
    lines_ok: Type.Integer(),
    lines_failed: Type.Integer(),
    failure_reason: nullable(Type.String()),
    created_at: Moment,
    started_at: nullable(Moment),
    finished_at: nullable(Moment),
  },
  { title: 'Import' },
);
export type ImportResource = Static<typeof ImportResource>;

/** An import in the operator's list. */
export const TenantImport = Type.Object(
  { tenant_id: Type.String(), environment: oneOf(ENVIRONMENTS), import: ImportResource },
  { title: 'TenantImport' },
);
export type TenantImport = Static<typeof TenantImport>;

export const viewImport = (state: KnownImport): ImportResource => ({
  id: state.id,
  status: toStatus(state),
  deliver: state.deliver,
  lines_total: state.linesTotal,
  lines_ok: state.linesOk,
  lines_failed: state.linesFailed,
  failure_reason: state.failureReason,
  created_at: state.createdAt,
  started_at: state.startedAt,
  finished_at: state.finishedAt,
});

const toStatus = ({ status, linesFailed }: KnownImport): ImportResource['status'] => {
  if (status === 'uploading') return 'queued';
  return status === 'completed' && linesFailed > 0 ? 'completed_with_errors' : status;
};
