import type { JSX } from 'preact';
import { type Dot, findLonelyDots, drawPath } from './plot-scale';

const WIDTH = 240;
const HEIGHT = 44;

/** A line without axes, for cards. `values` are in order, oldest first; null is a gap. */
export const Sparkline = ({
  values,
  label,
}: {
  values: readonly (number | null)[];
  label: string;
}): JSX.Element => {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  const least = Math.min(0, ...values.map((value) => value ?? 0));
  const step = WIDTH / Math.max(1, values.length - 1);
  const dots = values.map((value, index): Dot =>
    value === null
      ? null
      : [index * step, HEIGHT - 3 - ((value - least) / (most - least || 1)) * (HEIGHT - 8)],
  );
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width="100%"
      height={HEIGHT}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {dots.length === 0 || dots.includes(null) ? null : (
        <path d={`${drawPath(dots)}V${HEIGHT}H0Z`} fill="currentColor" opacity="0.1" />
      )}
      <path
        d={drawPath(dots)}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
        vector-effect="non-scaling-stroke"
      />
      <path
        d={findLonelyDots(dots)}
        stroke="currentColor"
        stroke-width="4"
        stroke-linecap="round"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
};
