/**
 * Many durations are counted in bins that grow by 5 %, so that a percentile of any window is a sum over
 * days, exact to 2.5 %. Bin 0 is zero; bin n reaches to 1.05ⁿ milliseconds.
 */
const GROWTH = Math.log(1.05);

/** The first bin in use, its count, and those of the bins that follow; empty without any. */
export type Histogram = readonly number[];

export const binOf = (seconds: number): number =>
  Math.ceil(Math.log(Math.max(1, seconds * 1000)) / GROWTH);

export const oneIn = (bin: number): Histogram => [bin, 1];

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

export const totalOf = ([, ...counts]: Histogram): number => counts.reduce((sum, n) => sum + n, 0);

/** The middle of the bin, in seconds. */
const secondsOf = (bin: number): number =>
  bin === 0 ? 0 : Math.round(Math.exp((bin - 0.5) * GROWTH)) / 1000;

/** The duration that a share of all stays under; 0 without any. */
export const percentileOf = (histogram: Histogram, share: number): number => {
  const total = totalOf(histogram);
  const [first = 0, ...counts] = histogram;
  let seen = 0;
  const found = counts.findIndex((n) => (seen += n) >= share * total && n > 0);
  return found < 0 ? 0 : secondsOf(first + found);
};

const SECONDS_DIGITS = 10;

/** Few are counted second by second, so that their median is exact. Of equal length: they sort. */
export const secondsPart = (seconds: number): string =>
  String(seconds).padStart(SECONDS_DIGITS, '0');

/** The middle one, the mean of the middle two where their number is even; 0 without any. */
export const medianOf = (parts: ReadonlyMap<string, number>): number => {
  const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1));
  const total = sorted.reduce((sum, [, n]) => sum + n, 0);
  const at = (rank: number): number => {
    let seen = 0;
    return Number(sorted.find(([, n]) => (seen += n) > rank)?.[0] ?? 0);
  };
  return total === 0 ? 0 : (at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2;
};
