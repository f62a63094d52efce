/**
 * The number of subscribers who were first active in one month and whose last subscription ended in
 * one month.
 */
export interface RetentionGroup {
  /** Month of the first activation, in UTC, such as `2026-01`. */
  readonly began: string;
  /** Month in which their last subscription ended; null if they still have one. */
  readonly ended: string | null;
  readonly subscribers: number;
}

export interface RetentionMonth {
  readonly month: string;
  readonly subscribers: number;
  /**
   * How many of them still had a subscription at the end of this month and of each month after it.
   */
  readonly kept: number[];
}

/** Returns the last `count` months up to a month, oldest first. */
export const listMonthsUpTo = (last: string, count: number): string[] => {
  const [year = 0, month = 1] = last.split('-').map(Number);
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(year, month - count + i, 1)).toISOString().slice(0, 7),
  );
};

/**
 * Counts, for the subscribers of each month, how many still had a subscription at the end of that
 * month and of each month after it. The month that has not ended counts as of now.
 */
export const computeRetention = (
  groups: readonly RetentionGroup[],
  months: readonly string[],
): RetentionMonth[] =>
  months.map((month, first) => {
    const own = groups.filter(({ began }) => began === month);
    const countThose = (stay: (ended: string | null) => boolean): number =>
      own.reduce((sum, { ended, subscribers }) => sum + (stay(ended) ? subscribers : 0), 0);
    return {
      month,
      subscribers: countThose(() => true),
      kept: months.slice(first).map((at) => countThose((ended) => ended === null || ended > at)),
    };
  });
