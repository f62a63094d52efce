import { type Static, Type } from '@sinclair/typebox';
import { Choice, Flag, Id, Moment as MomentField, Num } from '../../http/fields/fields';
import { EVENT_FILTER_FORMAT, TextList } from '../../http/fields/list-fields';
import { createAnyOf, SchemaRules } from '../../http/fields/schema-rules';
import { ListQuery, PageParameters } from '../../http/lists/list-query';
import { LAST_MONTH } from '../../http/reference/openapi-dates';
import type { Instant } from '../../kernel/time';
import { computeCounts } from '../../replay/progress/counts';
import { estimateCompletion } from '../../replay/planning/estimate';
import {
  type KnownReplay,
  REPLAY_STATUSES,
  type ReplayStatus,
} from '../../domain/replays/replay.decider';
import {
  DEDUPE_STRATEGIES,
  type DedupeStrategy,
  type FailureReason,
  type ReplayRequest,
} from '../../domain/replays/replay.events';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';

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
    environment: oneOf(['live', 'test']),
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

/** A replay, read from its stream or from its row. */
export interface ReplayRecord {
  readonly status: ReplayStatus;
  readonly request: ReplayRequest;
  readonly createdAt: Instant;
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  readonly progressedAt: Instant | null;
  readonly failureReason: FailureReason | null;
  readonly eventsMatched: number;
  readonly eventsDelivered: number;
  readonly eventsFailed: number;
  readonly eventsSkipped: number;
}

export const toRecord = (replay: KnownReplay): ReplayRecord => ({
  ...replay,
  progressedAt: null,
  eventsDelivered: replay.progress.events_delivered,
  eventsFailed: replay.progress.events_failed,
  eventsSkipped: replay.progress.events_skipped,
});

export const viewReplay = (record: ReplayRecord, now: Instant): ReplayResource => {
  const { request } = record;
  const counts = computeCounts({
    events_matched: record.eventsMatched,
    skipped_at_acceptance: request.events_skipped,
    events_delivered: record.eventsDelivered,
    events_failed: record.eventsFailed,
    events_skipped: record.eventsSkipped,
  });
  return {
    replay_id: request.id,
    status: record.status,
    destination_id: request.destination_id,
    from: request.from,
    to: request.to,
    effective_to: request.effective_to,
    event_types: copyList(request.event_types),
    subscriber_ids: copyList(request.subscriber_ids),
    cohort_ids: copyList(request.cohort_ids),
    dedupe_strategy: request.dedupe_strategy,
    rate_per_second: request.rate_per_second,
    retry_of: request.retry_of,
    estimated_event_count: request.events_matched - request.events_skipped,
    estimated_completion_at:
      record.finishedAt ??
      estimateCompletion({
        ...estimateStart(record),
        now,
        progressedAt: record.progressedAt ?? record.startedAt,
        pending: counts.events_pending,
      }),
    ...counts,
    failure_reason: record.failureReason,
    created_at: record.createdAt,
    started_at: record.startedAt,
    finished_at: record.finishedAt,
  };
};

/**
 * Returns the expected waiting time and rate. A running replay uses its measured rate after at
 * least `MEASURED_EVENTS_MIN` events.
 */
const estimateStart = (record: ReplayRecord): { waitSeconds: number; ratePerSecond: number } => {
  const { startedAt, progressedAt, request } = record;
  const finished = record.eventsDelivered + record.eventsFailed;
  if (startedAt === null) {
    return {
      waitSeconds: request.estimated_wait_seconds,
      ratePerSecond: request.estimated_rate,
    };
  }
  const seconds =
    progressedAt === null ? 0 : (Date.parse(progressedAt) - Date.parse(startedAt)) / 1_000;
  const measured = finished >= MEASURED_EVENTS_MIN && seconds > 0;
  return { waitSeconds: 0, ratePerSecond: measured ? finished / seconds : request.estimated_rate };
};

const MEASURED_EVENTS_MIN = 50;

const copyList = (values: readonly string[] | null): string[] | null =>
  values === null ? null : [...values];
