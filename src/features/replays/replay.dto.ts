import { type Static, Type } from '@sinclair/typebox';
import { Choice, Flag, Id, Moment as MomentField, Num } from '../../http/fields/fields';
import { EVENT_FILTER_FORMAT, TextList } from '../../http/fields/list-fields';
import { createAnyOf, SchemaRules } from '../../http/fields/schema-rules';
import { ListQuery, PageParameters } from '../../http/lists/list-query';
import { LAST_MONTH } from '../../http/reference/openapi-dates';
import { REPLAY_STATUSES, type ReplayStatus } from '../../domain/replays/replay.decider';
import { DEDUPE_STRATEGIES, type DedupeStrategy } from '../../domain/replays/replay.events';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { ENVIRONMENTS } from '../../kernel/scope';

const IDS_MAX = 500;
const EVENT_TYPES_MAX = 100;
const RATE_MAX = 10_000;

const WINDOW_FIELDS = ['destination_id', 'from', 'to'] as const;
/**
 * The fields that a retry copies from the replay that it retries. A request with `retry_of` must
 * not contain them.
 */
export const COPIED_BY_RETRY = [
  ...WINDOW_FIELDS,
  'event_types',
  'subscriber_ids',
  'cohort_ids',
] as const;

@SchemaRules({
  oneOf: [
    { required: WINDOW_FIELDS, not: { required: ['retry_of'] } },
    {
      required: ['retry_of'],
      not: createAnyOf(COPIED_BY_RETRY),
      properties: { dedupe_strategy: { const: 'force_redeliver' } },
    },
  ],
})
export class RequestReplayBody {
  @Id({
    optional: true,
    example: 'dest_0k3v9c2m8x7q1z5n',
    description: 'The destination to send to. Required without `retry_of`.',
  })
  readonly destination_id?: string;

  @MomentField({
    optional: true,
    description:
      'The beginning of the window of `created_at`, inclusive; within the last 24 months. Required without `retry_of`.',
    example: LAST_MONTH.start,
  })
  readonly from?: string;

  @MomentField({
    optional: true,
    description: 'The end of the window, exclusive; after `from`. Required without `retry_of`.',
    example: LAST_MONTH.end,
  })
  readonly to?: string;

  @TextList({
    itemsMin: 1,
    itemsMax: EVENT_TYPES_MAX,
    itemFormat: EVENT_FILTER_FORMAT,
    optional: true,
    example: ['payment.*', 'ticket.submitted'],
    description: 'Types, families such as `payment.*`, or `*`. Default: all types.',
  })
  readonly event_types?: string[];

  @Choice(DEDUPE_STRATEGIES, {
    optional: true,
    default: 'skip_existing',
    description:
      '`skip_existing` leaves out events the destination has already answered with a 2xx, as far as the delivery log knows (30 days; older events are sent); `force_redeliver` sends all.',
  })
  readonly dedupe_strategy?: DedupeStrategy;

  @TextList({
    itemsMin: 1,
    itemsMax: IDS_MAX,
    itemCharsMax: 64,
    optional: true,
    description: 'Only these subscribers, and the members of `cohort_ids`.',
  })
  readonly subscriber_ids?: string[];

  @TextList({
    itemsMin: 1,
    itemsMax: IDS_MAX,
    itemCharsMax: 64,
    optional: true,
    description:
      'Only subscribers who are members of these cohorts when the replay is accepted, and those in `subscriber_ids`.',
  })
  readonly cohort_ids?: string[];

  @Num({
    min: 0.1,
    max: RATE_MAX,
    optional: true,
    description:
      "Events per second at most. Without it as fast as the destination's limits allow, behind live deliveries.",
  })
  readonly rate_per_second?: number;

  @Id({
    optional: true,
    description: 'The id of a replay that has ended: only its failed events are sent again.',
  })
  readonly retry_of?: string;

  @Flag({ optional: true, default: false, description: 'Only counts the events; nothing is sent.' })
  readonly dry_run?: boolean;
}

export class ListReplaysQuery extends ListQuery {
  @Choice(REPLAY_STATUSES, { optional: true })
  readonly status?: ReplayStatus;

  @Id({ optional: true })
  readonly destination_id?: string;
}

export class ListAllReplaysQuery extends ListQuery {
  @Choice(REPLAY_STATUSES, { optional: true })
  readonly status?: ReplayStatus;

  @Id({ optional: true, description: 'Only this tenant.' })
  readonly tenant_id?: string;
}

export class ListReplayFailuresQuery extends PageParameters {}

export const ReplayResource = Type.Object(
  {
    replay_id: Type.String(),
    status: oneOf(REPLAY_STATUSES),
    destination_id: Type.String(),
    from: Moment,
    to: Moment,
    effective_to: Moment,
    event_types: nullable(Type.Array(Type.String())),
    subscriber_ids: nullable(Type.Array(Type.String())),
    cohort_ids: nullable(Type.Array(Type.String())),
    dedupe_strategy: oneOf(DEDUPE_STRATEGIES),
    rate_per_second: nullable(Type.Number()),
    retry_of: nullable(Type.String()),
    estimated_event_count: Type.Integer(),
    estimated_completion_at: Moment,
    events_matched: Type.Integer({
      description:
        'How many events the replay selects, as counted when it was accepted. At the end, events that have expired meanwhile are not counted.',
    }),
    events_delivered: Type.Integer(),
    events_failed: Type.Integer(),
    events_pending: Type.Integer(),
    events_skipped: Type.Integer(),
    failure_reason: nullable(Type.String()),
    created_at: Moment,
    started_at: nullable(Moment),
    finished_at: nullable(Moment),
  },
  { title: 'Replay' },
);
export type ReplayResource = Static<typeof ReplayResource>;

/** A replay in the operator's list. */
export const TenantReplay = Type.Object(
  {
    tenant_id: Type.String(),
    environment: oneOf(ENVIRONMENTS),
    replay: ReplayResource,
  },
  { title: 'TenantReplay' },
);
export type TenantReplay = Static<typeof TenantReplay>;

export const ReplayFailureResource = Type.Object(
  {
    event_id: Type.String(),
    event_type: Type.String(),
    attempts: Type.Integer(),
    last_status_code: nullable(Type.Integer()),
    last_error: nullable(Type.String()),
    last_attempt_at: Moment,
  },
  { title: 'ReplayFailure' },
);
export type ReplayFailureResource = Static<typeof ReplayFailureResource>;

const EdgeEvent = nullable(Type.Object({ id: Type.String(), created_at: Moment }));

export const DryRunResource = Type.Object(
  {
    dry_run: Type.Literal(true),
    destination_id: Type.String(),
    from: Moment,
    to: Moment,
    effective_to: Moment,
    estimated_event_count: Type.Integer(),
    events_matched: Type.Integer(),
    events_skipped: Type.Integer(),
    first_event: EdgeEvent,
    last_event: EdgeEvent,
  },
  { title: 'ReplayDryRun' },
);
export type DryRunResource = Static<typeof DryRunResource>;
