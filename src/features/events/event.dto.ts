import { type Static, Type } from '@sinclair/typebox';
import { Choice, Id, Moment as MomentField, QueryInt } from '../../http/fields/fields';
import { EVENT_FILTER_FORMAT, QueryList } from '../../http/fields/list-fields';
import { ListQuery, PageParameters } from '../../http/lists/list-query';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';

const EVENT_TYPES_MAX = 100;

export class ListEventsQuery extends ListQuery {
  @QueryList({
    itemsMin: 1,
    itemsMax: EVENT_TYPES_MAX,
    optional: true,
    itemFormat: EVENT_FILTER_FORMAT,
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

const GRANULARITIES = ['hour', 'day', 'month'] as const;

export class CountEventsQuery {
  @Choice(GRANULARITIES, { optional: true, default: 'day' })
  readonly granularity?: (typeof GRANULARITIES)[number];

  @MomentField({ optional: true, description: 'Only events created at this moment or later.' })
  readonly created_after?: string;

  @MomentField({ optional: true, description: 'Only events created before this moment.' })
  readonly created_before?: string;

  @QueryList({
    itemsMin: 1,
    itemsMax: EVENT_TYPES_MAX,
    optional: true,
    itemFormat: EVENT_FILTER_FORMAT,
    description: 'Types or families, comma-separated: `ticket.submitted,payment.*`.',
  })
  readonly event_types?: string[];
}

export const EventCounts = Type.Object(
  {
    granularity: oneOf(GRANULARITIES),
    points: Type.Array(
      Type.Object({
        timestamp: Type.Unsafe<Static<typeof Moment>>({
          ...Moment,
          description: 'When the bucket begins, in UTC.',
        }),
        count: Type.Integer({ description: 'How many events were created in it.' }),
      }),
      { description: 'The buckets, oldest first. Buckets without events are left out.' },
    ),
  },
  { title: 'EventCounts' },
);
export type EventCounts = Static<typeof EventCounts>;

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

/** One event in the timeline of a subscriber. */
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
