import { type Static, Type } from '@sinclair/typebox';
import { Choice, Id, QueryInt, QueryList } from '../../http/fields';
import { ListQuery, PageParameters } from '../../http/list-query';
import { Moment, nullable } from '../fields.events';

const EVENT_TYPES_MAX = 100;

export class ListEventsQuery extends ListQuery {
  @QueryList({
    itemsMax: EVENT_TYPES_MAX,
    optional: true,
    description: 'Types or families, comma-separated: `ticket.submitted,payment.*`.',
  })
  readonly event_types?: string[];

  @Id({ optional: true })
  readonly subscriber_id?: string;

  @Id({ optional: true })
  readonly subscription_id?: string;

  @Choice(['asc', 'desc'], { optional: true, default: 'desc' })
  readonly order?: 'asc' | 'desc';
}

export class TimelineQuery extends ListQuery {
  @Choice(['asc', 'desc'], { optional: true, default: 'desc' })
  readonly order?: 'asc' | 'desc';
}

export class EventsAfterQuery extends PageParameters {
  @QueryInt({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    default: 0,
    description: 'Events with a greater `sequence`.',
  })
  readonly after_sequence?: number;
}

/** One thing that happened to a subscriber (Clarifications, "Paths not named above"). */
export const TimelineItem = Type.Object(
  {
    sequence: Type.Integer(),
    id: Type.String(),
    type: Type.String(),
    created_at: Moment,
    actor: nullable(Type.String()),
    reason: nullable(Type.String()),
    data: Type.Object({}, { additionalProperties: true }),
  },
  { title: 'TimelineItem' },
);
export type TimelineItem = Static<typeof TimelineItem>;
