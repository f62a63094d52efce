import { type Static, Type } from '@sinclair/typebox';
import { Flag } from '../../http/fields/fields';
import { TextList } from '../../http/fields/list-fields';
import { DifferenceResource } from '../../projections/difference';
import type { Rebuild } from '../../projections/rebuild-store';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';

export class RequestRebuildBody {
  @TextList({
    itemsMin: 1,
    itemsMax: 50,
    optional: true,
    description: 'The names of the projections. Default: all.',
  })
  readonly projections?: string[];

  @Flag({
    optional: true,
    example: true,
    description: 'Whether to only compare the new rows with those in use, and change nothing.',
  })
  readonly compare?: boolean;
}

export const RebuildResource = Type.Object(
  {
    id: Type.String(),
    projections: Type.Array(Type.String()),
    compare: Type.Boolean(),
    differences: nullable(Type.Array(DifferenceResource)),
    status: oneOf(['queued', 'in_progress', 'completed', 'failed']),
    events_projected: Type.Integer(),
    position: Type.String({ description: 'The commit position that was reached.' }),
    target_position: Type.String({
      description: 'The commit position of the projector when the rebuild started.',
    }),
    failure_reason: nullable(Type.String()),
    created_at: Moment,
    started_at: nullable(Moment),
    finished_at: nullable(Moment),
  },
  { title: 'Rebuild' },
);
export type RebuildResource = Static<typeof RebuildResource>;

export const viewRebuild = (rebuild: Rebuild): RebuildResource => ({
  id: rebuild.id,
  projections: [...rebuild.projections],
  compare: rebuild.compare,
  differences:
    rebuild.differences?.map((each) => ({ ...each, columns: [...each.columns] })) ?? null,
  status: rebuild.status,
  events_projected: rebuild.events_projected,
  position: rebuild.position,
  target_position: rebuild.target_position,
  failure_reason: rebuild.failure_reason,
  created_at: rebuild.created_at,
  started_at: rebuild.started_at,
  finished_at: rebuild.finished_at,
});
