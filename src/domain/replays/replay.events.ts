import type { Fact } from '../../kernel/decider';
import type { Environment } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';

/**
 * The facts of a replay job. Type strings and field names are a storage format: add, never rename.
 * `scope` stands in every fact, so that each can become rows on its own.
 */

export const DEDUPE_STRATEGIES = ['skip_existing', 'force_redeliver'] as const;
export type DedupeStrategy = (typeof DEDUPE_STRATEGIES)[number];

/** What was asked for, and the selection as it was fixed at acceptance (D-100, D-101). */
export type ReplayRequest = {
  readonly scope: string;
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: Environment;
  readonly destination_id: string;
  /** Of the destination's stream at acceptance: what a run must know; absent in older jobs. */
  readonly destination_revision?: number;
  /** Of the event's `created_at`; inclusive. */
  readonly from: Instant;
  /** As asked for; exclusive. */
  readonly to: Instant;
  /** `to`, but not after the acceptance. */
  readonly effective_to: Instant;
  /** Null = every type. */
  readonly event_types: readonly string[] | null;
  /** The destination's own filter at acceptance; null = every type. */
  readonly destination_event_types: readonly string[] | null;
  readonly subscriber_ids: readonly string[] | null;
  /** Their members at acceptance are kept in a stream of their own: there may be very many. */
  readonly cohort_ids: readonly string[] | null;
  readonly dedupe_strategy: DedupeStrategy;
  readonly rate_per_second: number | null;
  /** The replay whose failed events alone are sent. */
  readonly retry_of: string | null;
  readonly events_matched: number;
  /** Of them those with a recorded 2xx at acceptance that the strategy leaves out. */
  readonly events_skipped: number;
  /** Commit positions of the first and last selected event; null where nothing matched. */
  readonly position_from: string | null;
  readonly position_to: string | null;
  /** Events per second the estimate rests on. */
  readonly estimated_rate: number;
  /** Seconds this job waits for others to the same destination, as estimated. */
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

/** How far a run has come. Counts are totals; the lists hold what changed since the fact before. */
export type ReplayProgress = {
  /** Category revision a scan goes on from: what is selected before it, is settled, open or waiting. */
  readonly scanned_to: number;
  /**
   * Revisions before `scanned_to` that were handed out and are not settled: after a crash they are
   * sent (again). None where there is `done`: then `scanned_to` is the first of them.
   */
  readonly open: readonly number[];
  /** From `scanned_to` on: revisions that are settled or wait. Absent in older jobs. */
  readonly done?: readonly (readonly [from: number, to: number])[];
  readonly events_delivered: number;
  readonly events_failed: number;
  readonly events_skipped: number;
  readonly waiting: readonly WaitingEvent[];
  /** Revisions that wait no more. */
  readonly ended: readonly number[];
  readonly failures: readonly FailedEvent[];
};

type Run = {
  readonly scope: string;
  readonly id: string;
  /** Names the process and turn that runs the job: only the latest may go on writing. */
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
  /** For `GET /v1/operational_events`, beside the fact it tells of. */
  | Fact<'replay.completed', ReplayNotice>
  | Fact<'replay.failed', Run & { readonly failure_reason: FailureReason }>
  | Fact<'replay.cancelled', { readonly scope: string; readonly id: string }>;
