interface CountedJob {
  readonly events_matched: number;
  /**
   * Number of events that are known at acceptance to be skipped. The scan finds them one by one.
   */
  readonly skipped_at_acceptance: number;
  readonly events_delivered: number;
  readonly events_failed: number;
  readonly events_skipped: number;
}

export interface ReplayCounts {
  readonly events_matched: number;
  readonly events_delivered: number;
  readonly events_failed: number;
  readonly events_skipped: number;
  readonly events_pending: number;
}

/**
 * Computes the counts of a job. At every moment matched = delivered + failed + pending + skipped
 * (D-103). Events that are known at acceptance to be skipped count as skipped from the beginning.
 */
export const computeCounts = (job: CountedJob): ReplayCounts => {
  const { events_matched, events_delivered, events_failed } = job;
  const attempted = events_delivered + events_failed;
  const skipped = Math.min(
    Math.max(job.events_skipped, job.skipped_at_acceptance),
    events_matched - attempted,
  );
  return {
    events_matched,
    events_delivered,
    events_failed,
    events_skipped: skipped,
    events_pending: events_matched - attempted - skipped,
  };
};
