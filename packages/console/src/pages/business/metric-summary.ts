import { formatShare } from '../../ui/format';
import { formatValue, type Summary, type Unit } from './metric-catalogue';
import type { Compared, Point } from './metric-window';

/** The number for a window and for the period before; null if there is no number. */
export interface Headline {
  readonly value: number | null;
  readonly before: number | null;
  /**
   * The bucket whose value is the number for the window; null if the number comes from several
   * buckets.
   */
  readonly bucket: Point | null;
}

export const findHeadline = ({ series, previous }: Compared, summary: Summary): Headline => {
  const before = previous.every((point) => point === null)
    ? []
    : previous.filter((point) => point !== null);
  const bucket = summary === 'latest' ? (findLatest(series.points) ?? null) : null;
  return {
    value: summarizePoints(series.points, summary),
    before: summarizePoints(before, summary),
    bucket,
  };
};

/**
 * Returns how much a value changed. The change of a share is in percentage points. Other changes are
 * in per cent, except those of a value below zero, about which a percentage tells nothing.
 */
export const formatChange = (value: number, before: number, unit: Unit): string => {
  const change = Math.abs(value - before);
  if (unit.unit === 'ratio') return `${(change * 100).toFixed(1)} pts`;
  if (value < 0 || before < 0) return formatValue(change, unit);
  return before === 0 ? 'from 0' : formatShare(change / before);
};

/** True if nothing was counted, in the window and before it. A sum of zero may have parts. */
export const isEmpty = ({ series, previous }: Compared): boolean =>
  [...series.points, ...previous].every(
    (point) =>
      point === null ||
      (point.value === 0 &&
        (point.movements === undefined
          ? point.sample_size === 0
          : Object.values(point.movements).every((part) => part === 0))),
  );

const summarizePoints = (points: readonly Point[], summary: Summary): number | null => {
  switch (summary) {
    case 'level':
      return points.at(-1)?.value ?? null;
    case 'total':
      return points.length === 0 ? null : points.reduce((sum, { value }) => sum + value, 0);
    case 'share':
      return divide(computeWeightedMean(points), countSamples(points));
    case 'loss':
      return divide(computeWeightedMean(points), points[0]?.sample_size ?? 0);
    case 'latest':
      return findLatest(points)?.value ?? null;
  }
};

const computeWeightedMean = (points: readonly Point[]): number =>
  points.reduce((sum, { value, sample_size: size }) => sum + value * size, 0);

const countSamples = (points: readonly Point[]): number =>
  points.reduce((sum, { sample_size: size }) => sum + size, 0);

const divide = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Returns the newest bucket that has a sample. A bucket that has ended is preferred. */
const findLatest = (points: readonly Point[]): Point | undefined =>
  points.findLast(({ partial, sample_size: size }) => !partial && size > 0) ??
  points.findLast(({ sample_size: size }) => size > 0);
