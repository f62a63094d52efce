/**
 * The natural logarithm of the factor between two bins. Durations are counted in bins that grow by
 * 5 %, so a percentile of any window is computed from the sums of its days, exact to 2.5 %. Bin 0
 * is zero; bin n ends at 1.05ⁿ milliseconds.
 */
const BUCKET_GROWTH = Math.log(1.05);

/**
 * The index of the first bin that is not empty, then the counts of this bin and of the bins after
 * it. An empty array stands for no durations.
 */
export type Histogram = readonly number[];

export const findBin = (seconds: number): number =>
  Math.ceil(Math.log(Math.max(1, seconds * 1000)) / BUCKET_GROWTH);

export const createHistogram = (bin: number): Histogram => [bin, 1];

export const addHistograms = (all: readonly Histogram[]): Histogram => {
  const used = all.filter(({ length }) => length > 0);
  const first = used.reduce((least, [bin = 0]) => Math.min(least, bin), Infinity);
  const counts: number[] = [];
  for (const histogram of used) {
    const offset = (histogram[0] ?? 0) - first;
    while (counts.length < offset + histogram.length - 1) counts.push(0);
    for (let i = 1; i < histogram.length; i += 1) {
      counts[offset + i - 1] = (counts[offset + i - 1] ?? 0) + (histogram[i] ?? 0);
    }
  }
  return used.length === 0 ? [] : [first, ...counts];
};

export const computeTotal = ([, ...counts]: Histogram): number =>
  counts.reduce((sum, n) => sum + n, 0);

/** Returns the middle of a bin in seconds. */
const toSeconds = (bin: number): number =>
  bin === 0 ? 0 : Math.round(Math.exp((bin - 0.5) * BUCKET_GROWTH)) / 1000;

/**
 * Returns the duration that the given share of all durations does not exceed; 0 if there are none.
 */
export const computePercentile = (histogram: Histogram, share: number): number => {
  const total = computeTotal(histogram);
  const [first = 0, ...counts] = histogram;
  let seen = 0;
  const found = counts.findIndex((n) => (seen += n) >= share * total && n > 0);
  return found < 0 ? 0 : toSeconds(first + found);
};

const SECONDS_DIGITS = 10;

/**
 * Formats a duration as a part of a series. Few durations are counted second by second, so that
 * their median is exact. All parts have the same length, so they sort as text.
 */
export const toSecondsPart = (seconds: number): string =>
  String(seconds).padStart(SECONDS_DIGITS, '0');

/**
 * Returns the median, which is the mean of the two middle values if their number is even; 0 if
 * there are none.
 */
export const computeMedian = (parts: ReadonlyMap<string, number>): number => {
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  const total = sorted.reduce((sum, [, n]) => sum + n, 0);
  const readRank = (rank: number): number => {
    let seen = 0;
    return Number(sorted.find(([, n]) => (seen += n) > rank)?.[0] ?? 0);
  };
  return total === 0
    ? 0
    : (readRank(Math.floor((total - 1) / 2)) + readRank(Math.floor(total / 2))) / 2;
};
