/**
 * Many durations are counted in bins that grow by 5 %, so that a percentile of any window is a sum over
 * days, exact to 2.5 %. Bin 0 is zero; bin n reaches to 1.05ⁿ milliseconds.
 */
const GROWTH = Math.log(1.05);
/** Few are counted second by second, so that their median is exact. */
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

/** Bins are texts of equal length, so that they sort. */
const DIGITS = 4;
const SECONDS_DIGITS = 10;

export const binOf = (seconds: number): string =>
  String(Math.ceil(Math.log(Math.max(1, seconds * 1000)) / GROWTH)).padStart(DIGITS, '0');

/** The middle of the bin, in seconds. */
const secondsOf = (bin: string): number => {
  const n = Number(bin);
  return n === 0 ? 0 : Math.round(Math.exp((n - 0.5) * GROWTH)) / 1000;
};

/** The duration that a share of all stays under; 0 without any. */
export const percentileOf = (bins: ReadonlyMap<string, number>, share: number): number => {
  const sorted = [...bins].sort(([a], [b]) => (a < b ? -1 : 1));
  const total = sorted.reduce((sum, [, n]) => sum + n, 0);
  let seen = 0;
  for (const [bin, n] of sorted) {
    seen += n;
    if (seen >= share * total && n > 0) return secondsOf(bin);
  }
  return 0;
};
