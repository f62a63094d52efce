import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config';
import type { KnownReplay, ReplayStatus } from '../../domain/replays/replay.decider';
import type { FailureReason, ReplayRequest } from '../../domain/replays/replay.events';
import { Clock, type Instant } from '../../kernel/time';
import { estimateCompletion } from '../../replay/planning/estimate';
import { computeCounts } from '../../replay/progress/counts';
import type { ReplayResource } from './replay.dto';

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

/** Shows replays with the end that is expected now. */
@Injectable()
export class ReplayViews {
  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  view(record: ReplayRecord): ReplayResource {
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
          now: this.clock.now(),
          retrySchedule: this.config.replayRetrySchedule,
          progressedAt: record.progressedAt ?? record.startedAt,
          pending: counts.events_pending,
        }),
      ...counts,
      failure_reason: record.failureReason,
      created_at: record.createdAt,
      started_at: record.startedAt,
      finished_at: record.finishedAt,
    };
  }
}

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
