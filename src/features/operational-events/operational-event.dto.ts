import { type Static, Type } from '@sinclair/typebox';
import { Choice } from '../../http/fields';
import { ListQuery } from '../../http/list-query';
import { Moment, oneOf } from '../fields.events';

/** Not about one subscriber, so they are no envelopes (decisions 1.8). */
export const OPERATIONAL_TYPES = [
  'destination.failing',
  'destination.disabled',
  'destination.enabled',
  'replay.completed',
] as const;

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
