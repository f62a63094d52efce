import { type Static, Type } from '@sinclair/typebox';
import { Choice } from '../../http/fields/fields';
import { ListQuery } from '../../http/lists/list-query';
import { Moment, oneOf } from '../../domain/schema/fields';
import { OPERATIONAL_TYPES } from '../../services/alerting/operational-event.facts';

export class ListOperationalEventsQuery extends ListQuery {
  @Choice(OPERATIONAL_TYPES, { optional: true })
  readonly type?: (typeof OPERATIONAL_TYPES)[number];
}

export const OperationalEvent = Type.Object(
  {
    id: Type.String(),
    type: oneOf(OPERATIONAL_TYPES),
    created_at: Moment,
    data: Type.Object({}, { additionalProperties: true }),
  },
  { title: 'OperationalEvent' },
);
export type OperationalEvent = Static<typeof OperationalEvent>;
