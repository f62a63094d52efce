/** The number of subscribers who began in a month, by the month in which their last subscription ended. */
export interface Leaving {
  /** Calendar month in UTC, such as `2026-01`. */
  readonly began: string;
  /** Calendar month in which their last subscription ended; null if they still have one. */
  readonly ended: string | null;
  readonly subscribers: number;
}

export interface RetentionMonth {
  readonly month: string;
  readonly subscribers: number;
  /** One number for each month since, the month itself first. */
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
 * Counts, for the subscribers of each month, who still had a subscription at the end of that month
 * and of each month after it. The running month counts as it is now.
 */
export const computeRetention = (
  leavings: readonly Leaving[],
  months: readonly string[],
): RetentionMonth[] =>
  months.map((month, first) => {
    const own = leavings.filter(({ began }) => began === month);
    const countThose = (stay: (ended: string | null) => boolean): number =>
      own.reduce((sum, { ended, subscribers }) => sum + (stay(ended) ? subscribers : 0), 0);
    return {
      month,
      subscribers: countThose(() => true),
      kept: months.slice(first).map((at) => countThose((ended) => ended === null || ended > at)),
    };
  });
