import type { Point } from './metric-window';

/** The kinds of movement of MRR: the name in the API, the title, and the colour. */
export const MOVEMENTS = [
  ['new', 'New', '--plot-1'],
  ['expansion', 'Expansion', '--plot-2'],
  ['reactivation', 'Reactivation', '--plot-3'],
  ['resumed', 'Resumed', '--plot-4'],
  ['churn', 'Churn', '--plot-5'],
  ['contraction', 'Contraction', '--plot-6'],
  ['paused', 'Paused', '--plot-7'],
] as const;

/** Returns the value to show. A share or duration without a sample is a gap and not zero. */
export const chooseShownValue = (point: Point, unit: string): number | null =>
  point.sample_size === 0 && (unit === 'ratio' || unit === 'seconds') ? null : point.value;

/** Returns the kinds of movement that occur. */
export const findMovements = (points: readonly Point[]): readonly (typeof MOVEMENTS)[number][] =>
  MOVEMENTS.filter(([name]) => points.some(({ movements }) => (movements?.[name] ?? 0) !== 0));
