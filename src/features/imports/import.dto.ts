import { type Static, Type } from '@sinclair/typebox';
import { Int, QueryFlag } from '../../http/fields';
import { PageParameters } from '../../http/list-query';
import { Moment, nullable, oneOf } from '../fields.events';
import type { KnownImport } from './import.decider';

export class CreateImportQuery {
  @QueryFlag({
    optional: true,
    default: false,
    description: 'Whether destinations receive the imported history.',
  })
  readonly deliver?: boolean;
}

export class SeedBody {
  @Int({ min: 1, max: 1_000_000, example: 1_000 })
  readonly subscribers!: number;
}

export class ListImportErrorsQuery extends PageParameters {}

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

export const viewImport = (state: KnownImport): ImportResource => ({
  id: state.id,
  status: statusOf(state),
  deliver: state.deliver,
  lines_total: state.linesTotal,
  lines_ok: state.linesOk,
  lines_failed: state.linesFailed,
  failure_reason: state.failureReason,
  created_at: state.createdAt,
  started_at: state.startedAt,
  finished_at: state.finishedAt,
});

const statusOf = ({ status, linesFailed }: KnownImport): ImportResource['status'] => {
  if (status === 'uploading') return 'queued';
  return status === 'completed' && linesFailed > 0 ? 'completed_with_errors' : status;
};
