import type { Fact } from '../../kernel/decider';
import type { Environment } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';

/**
 * The events of a replay job. The type strings and field names are a storage format: add, never
 * rename. Each event contains `scope`, so that a projection can make its rows from one event alone.
 */

export const DEDUPE_STRATEGIES = ['skip_existing', 'force_redeliver'] as const;
export type DedupeStrategy = (typeof DEDUPE_STRATEGIES)[number];

/** The request, and its selection as fixed at acceptance (D-100, D-101). */
export type ReplayRequest = {
  readonly scope: string;
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly destination_id: string;
  /**
   * Revision of the destination's stream at acceptance, which a run must have read. Absent in older
   * jobs.
   */
  readonly destination_revision?: number;
  /** Lower limit of the events' `created_at`, inclusive. */
  readonly from: Instant;
  /** Upper limit as requested, exclusive. */
  readonly to: Instant;
  /** The earlier of `to` and the time of acceptance. */
  readonly effective_to: Instant;
  /** Null means every type. */
  readonly event_types: readonly string[] | null;
  /** The destination's own filter at acceptance. Null means every type. */
  readonly destination_event_types: readonly string[] | null;
  readonly subscriber_ids: readonly string[] | null;
  /**
   * Cohorts whose members are selected. The members at acceptance are kept in a stream of their
   * own, because there may be very many.
   */
  readonly cohort_ids: readonly string[] | null;
  readonly dedupe_strategy: DedupeStrategy;
  readonly rate_per_second: number | null;
  /** The earlier replay, if only its failed events are sent again. */
  readonly retry_of: string | null;
  readonly events_matched: number;
  /**
   * The part of `events_matched` that the strategy skips because of a recorded 2xx at acceptance.
   */
  readonly events_skipped: number;
  /** Commit positions of the first and last selected event. Null if nothing matched. */
  readonly position_from: string | null;
  readonly position_to: string | null;
  /** Rate of the estimate, in events per second. */
  readonly estimated_rate: number;
  /** Estimated time that this job waits for other jobs of the same destination, in seconds. */
  readonly estimated_wait_seconds: number;
};

/** An event that failed and waits for its next attempt. */
export type WaitingEvent = {
  /** Revision in the category stream. */
  readonly revision: number;
  readonly event_id: string;
  readonly event_type: string;
  readonly subscriber_id: string;
  readonly sequence: number;
  readonly created_at: Instant;
  readonly attempts: number;
  readonly next_attempt_at: Instant;
};

/** An event that used up its attempts. */
export type FailedEvent = {
  readonly event_id: string;
  readonly event_type: string;
  readonly created_at: Instant;
  readonly attempts: number;
  readonly last_status_code: number | null;
  readonly last_error: string | null;
  readonly last_attempt_at: Instant;
};

/** The progress of a run. Counts are totals. Lists hold the changes since the last event. */
export type ReplayProgress = {
  /**
   * Category revision at which a scan continues. Selected events before it are settled, open or
   * waiting.
   */
  readonly scanned_to: number;
  /**
   * Revisions before `scanned_to` that were handed out and are not settled. They are sent again
   * after a crash. Empty if `done` is present, because `scanned_to` is then the first of them.
   */
  readonly open: readonly number[];
  /** Ranges of revisions from `scanned_to` on that are settled or waiting. Absent in older jobs. */
  readonly done?: readonly (readonly [from: number, to: number])[];
  readonly events_delivered: number;
  readonly events_failed: number;
  readonly events_skipped: number;
  readonly waiting: readonly WaitingEvent[];
  /** Revisions that no longer wait. */
  readonly ended: readonly number[];
  readonly failures: readonly FailedEvent[];
};

type Run = {
  readonly scope: string;
  readonly id: string;
  /** Name of the process and turn that runs the job. Only the latest run may write. */
  readonly run: string;
};

export type ReplayNotice = {
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly replay_id: string;
  readonly destination_id: string;
  readonly status: 'completed' | 'completed_with_errors' | 'failed';
  readonly failure_reason: FailureReason | null;
  readonly events_delivered: number;
  readonly events_failed: number;
};

export type FailureReason =
  'destination_deleted' | 'destination_disabled' | 'destination_gone' | 'internal_error';

export type ReplayFact =
  | Fact<'replay.requested', ReplayRequest>
  | Fact<'replay.started', Run & { readonly started_at: Instant }>
  | Fact<'replay.progressed', Run & ReplayProgress>
  | Fact<
      'replay.finished',
      Run & {
        readonly status: 'completed' | 'completed_with_errors';
        readonly events_matched: number;
      }
    >
  /** The notice of the end for `GET /v1/operational_events`, written beside the ending event. */
  | Fact<'replay.completed', ReplayNotice>
  | Fact<'replay.failed', Run & { readonly failure_reason: FailureReason }>
  | Fact<'replay.cancelled', { readonly scope: string; readonly id: string }>;
