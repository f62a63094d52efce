import { type Static, Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import { Moment, nullable, oneOf } from '../schema/fields';
import { ENVIRONMENTS } from '../../kernel/scope';

/** A line that could not be imported. Its message contains no personal data. */
export const ImportLineError = Type.Object(
  {
    line: Type.Integer({ description: 'The number of the line, counted from 1.', example: 17 }),
    code: Type.String({ example: 'parameter_invalid' }),
    param: nullable(Type.String({ example: 'email' })),
    message: Type.String({ example: 'email is not valid.' }),
  },
  { title: 'ImportLineError' },
);
export type ImportLineError = Static<typeof ImportLineError>;

/** The type strings and field names are a storage format: add, never rename. */
export const importEvents = {
  'import.created': Type.Object({
    id: Type.String(),
    tenant_id: Type.String(),
    environment: oneOf(ENVIRONMENTS),
    deliver: Type.Boolean(),
  }),
  /** The upload is complete. */
  'import.accepted': Type.Object({ lines_total: Type.Integer(), chunks: Type.Integer() }),
  'import.started': Type.Object({ worker: Type.String() }),
  'import.progressed': Type.Object({
    worker: Type.String(),
    chunks_done: Type.Integer(),
    lines_ok: Type.Integer(),
    lines_failed: Type.Integer(),
    errors: Type.Array(ImportLineError),
  }),
  'import.finished': Type.Object({ finished_at: Moment }),
  'import.failed': Type.Object({ reason: Type.String(), finished_at: Moment }),
};

export type ImportFact = FactOf<typeof importEvents>;
