interface Counted {
  readonly events_matched: number;
  /** Known at acceptance to be left out; the scan comes across them one by one. */
  readonly skipped_at_acceptance: number;
  readonly events_delivered: number;
  readonly events_failed: number;
  readonly events_skipped: number;
}

export interface Counts {
  readonly events_matched: number;
  readonly events_delivered: number;
  readonly events_failed: number;
  readonly events_skipped: number;
  readonly events_pending: number;
}

/**
 * D-103: matched = delivered + failed + pending + skipped, at every moment. What was known at
 * acceptance to be skipped counts as skipped from the beginning.
 */
export const countsOf = (job: Counted): Counts => {
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
