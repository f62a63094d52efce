import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type UPlot from 'uplot';

export interface PlotSeries {
  readonly label: string;
  /** One of the colour tokens of the stylesheet, such as `--accent`. */
  readonly token: string;
  readonly values: readonly (number | null)[];
  /** Dashed: buckets that are not over, or another period to compare with. */
  readonly dashed?: boolean;
  readonly bars?: boolean;
}

interface PlotProps {
  readonly label: string;
  /** Start of each bucket, in seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly format: (value: number) => string;
  readonly height?: number;
}

/** A plot over time that follows the width of its card and the colour scheme. */
export const Plot = ({ label, times, series, format, height = 240 }: PlotProps): JSX.Element => {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove: (() => void) | null = null;
    let isGone = false;
    void import('uplot').then(({ default: Plotter }) => {
      if (isGone || box.current === null) return;
      remove = draw(Plotter, box.current, { times, series, format, height });
    });
    return () => {
      isGone = true;
      remove?.();
    };
  }, [times, series, height]);
  return (
    <div class="plot" role="img" aria-label={label} ref={box} style={`min-height:${height}px`} />
  );
};

type Drawing = Required<Pick<PlotProps, 'times' | 'series' | 'format' | 'height'>>;

/** Draws into an element; returns what removes the plot. */
const draw = (
  Plotter: typeof UPlot,
  parent: HTMLElement,
  { times, series, format, height }: Drawing,
): (() => void) => {
  const bars = Plotter.paths.bars?.({ size: [0.7, 40] });
  const size = (): { width: number; height: number } => ({
    width: Math.max(200, parent.clientWidth),
    height,
  });
  const plot = new Plotter(
    {
      ...size(),
      cursor: { points: { size: 6 } },
      scales: { x: { time: true }, y: { range: (_, least, most) => rangeOf(least, most) } },
      axes: axesOf(format),
      series: [
        {},
        ...series.map((each) => ({
          label: each.label,
          stroke: colour(each.token),
          width: 1.75,
          points: { show: false },
          ...(each.dashed === true ? { dash: [4, 4] } : {}),
          ...(each.bars === true && bars !== undefined
            ? { paths: bars, fill: colour(each.token) }
            : {}),
          value: (_: UPlot, value: number | null) => (value === null ? '–' : format(value)),
        })),
      ],
    },
    [[...times], ...series.map(({ values }) => [...values])],
    parent,
  );
  const observer = new ResizeObserver(() => {
    plot.setSize(size());
  });
  observer.observe(parent);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
};

/** From zero, so that a small change does not look like a great one. */
const rangeOf = (least: number | null, most: number | null): [number, number] => {
  const low = Math.min(0, least ?? 0);
  const high = Math.max(0, most ?? 0);
  return low === high ? [0, 1] : [low * 1.1, high * 1.1];
};

const colour = (token: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(token).trim();

const axesOf = (format: (value: number) => string): UPlot.Axis[] => {
  const axis = {
    stroke: colour('--ink-3'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: `11px ${colour('--font')}`,
  };
  return [
    { ...axis, grid: { show: false }, size: 34 },
    { ...axis, size: 60, values: (_, ticks) => ticks.map(format) },
  ];
};
