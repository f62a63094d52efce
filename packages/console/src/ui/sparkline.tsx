import type { JSX } from 'preact';

/** A line without axes, for cards. `values` go from the oldest to the newest. */
export const Sparkline = ({
  values,
  label,
}: {
  values: readonly number[];
  label: string;
}): JSX.Element => {
  const width = 240;
  const height = 44;
  const most = Math.max(1, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : width;
  const points = values.map((value, index) => [
    index * step,
    height - 3 - (value / most) * (height - 8),
  ]);
  const line = points.map(([x = 0, y = 0]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polygon
        points={`0,${height} ${line} ${width},${height}`}
        fill="currentColor"
        opacity="0.1"
      />
      <polyline
        points={line}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
};
