import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  type Dot,
  chooseLabels,
  findLonelyDots,
  drawMarks,
  drawPath,
  computeTicks,
} from './plot-scale';

export interface PlotSeries {
  readonly label: string;
  /** One of the colour tokens of the stylesheet, such as `--accent`. */
  readonly token: string;
  readonly values: readonly (number | null)[];
  /**
   * The default is `line`. Bars are stacked, gains upwards and losses downwards. Marks are level
   * strokes across the bars.
   */
  readonly shape?: 'line' | 'area' | 'bar' | 'mark';
  /** True for a line that is dashed completely, such as the period before. */
  readonly dashed?: boolean;
}

interface PlotProps {
  readonly label: string;
  /** Start of each bucket as an ISO time. */
  readonly times: readonly string[];
  /** True for each bucket that has not ended. It is drawn dashed or pale. */
  readonly isOpen?: readonly boolean[];
  readonly series: readonly PlotSeries[];
  readonly format: (value: number) => string;
  /** A shorter form for the axis. */
  readonly formatAxis?: (value: number) => string;
  readonly formatTime: (iso: string) => string;
  readonly height?: number;
  /** True for whole numbers. The axis then shows no fractions. */
  readonly isCount?: boolean;
}

const MARGIN = { top: 10, right: 8, bottom: 24, left: 58 };
/** Width in pixels of a date below the axis. */
const DATE_WIDTH_PX = 84;

/**
 * A plot over time. It adapts to the width of its card and to the colour scheme, and shows the
 * values at the pointer.
 */
export const Plot = (props: PlotProps): JSX.Element => {
  const { label, times, series, height = 240 } = props;
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [pointed, setPointed] = useState<number | null>(null);
  const drawing = useMemo(
    () => createDrawing(props, width, height),
    [times, series, width, height, props.isOpen],
  );
  const point = (event: PointerEvent): void => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    const index = Math.round((event.clientX - left - drawing.left) / drawing.step - drawing.inset);
    setPointed(index >= 0 && index < times.length ? index : null);
  };
  return (
    <figure class="plot">
      <div
        ref={box}
        class="plot-area"
        style={`height:${height}px`}
        onPointerMove={point}
        onPointerLeave={() => {
          setPointed(null);
        }}
      >
        <Picture {...props} drawing={drawing} width={width} height={height} pointed={pointed} />
        {pointed === null ? null : <Tooltip {...props} drawing={drawing} index={pointed} />}
      </div>
      {series.length < 2 ? null : (
        <figcaption class="legend" aria-label={`Lines of ${label}`}>
          {series.map((each) => (
            <span>
              <Swatch series={each} />
              {each.label}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
};

const Swatch = ({ series: { token, dashed } }: { series: PlotSeries }): JSX.Element => (
  <i class="swatch" data-dashed={dashed} style={`color:var(${token})`} />
);

const useWidth = (box: { readonly current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(box.current);
    return () => {
      observer.disconnect();
    };
  }, []);
  return width;
};

interface Line {
  readonly series: PlotSeries;
  readonly dots: readonly Dot[];
}

interface Bar {
  readonly token: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isOpen: boolean;
}

interface Drawing {
  readonly left: number;
  /** Pixels between two buckets. */
  readonly step: number;
  /** Half a bucket if there are bars, so that they do not overlap the axis. */
  readonly inset: number;
  readonly ticks: readonly (readonly [value: number, y: number])[];
  readonly zero: number;
  readonly lines: readonly Line[];
  readonly barWidth: number;
  readonly bars: readonly Bar[];
}

const createDrawing = (
  { times, series, isOpen = [], isCount = false }: PlotProps,
  width: number,
  height: number,
): Drawing => {
  const hasBars = series.some(({ shape }) => shape === 'bar');
  const inset = hasBars ? 0.5 : 0;
  const left = width < 480 ? 46 : MARGIN.left;
  const room = Math.max(1, width - left - MARGIN.right);
  const step = room / Math.max(1, hasBars ? times.length : times.length - 1);
  const barWidth = Math.min(36, step * 0.64);
  const ticks = computeTicks(...computeExtent(series, times.length), isCount ? 1 : 0);
  const [low = 0, high = 1] = [ticks.at(0), ticks.at(-1)];
  const floor = height - MARGIN.bottom;
  const toY = (value: number): number =>
    high === low ? floor : floor - ((value - low) / (high - low)) * (floor - MARGIN.top);
  const toX = (index: number): number => left + (index + inset) * step;
  return {
    left,
    step,
    inset,
    zero: toY(0),
    ticks: ticks.map((value) => [value, toY(value)] as const),
    lines: series
      .filter(({ shape }) => shape !== 'bar')
      .map((each) => ({
        series: each,
        dots: each.values.map((value, index): Dot =>
          value === null ? null : [toX(index), toY(value)],
        ),
      })),
    barWidth,
    bars: createBars(series, times.length, { toX, toY, width: barWidth, isOpen }),
  };
};

/**
 * Returns the smallest and the largest value of the axis. The range contains zero, so that a small
 * change looks small.
 */
const computeExtent = (series: readonly PlotSeries[], count: number): [number, number] => {
  let [least, most] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    let [gains, losses] = [0, 0];
    for (const { shape, values } of series) {
      const value = values[index] ?? 0;
      if (shape !== 'bar') [least, most] = [Math.min(least, value), Math.max(most, value)];
      else if (value > 0) gains += value;
      else losses += value;
    }
    [least, most] = [Math.min(least, losses), Math.max(most, gains)];
  }
  return [least, most];
};

const createBars = (
  series: readonly PlotSeries[],
  count: number,
  {
    toX,
    toY,
    width,
    isOpen,
  }: {
    readonly toX: (index: number) => number;
    readonly toY: (value: number) => number;
    readonly width: number;
    readonly isOpen: readonly boolean[];
  },
): readonly Bar[] =>
  Array.from({ length: count }, (_, index) => {
    let [gains, losses] = [0, 0];
    return series.flatMap(({ shape, token, values }): readonly Bar[] => {
      const value = values[index] ?? 0;
      if (shape !== 'bar' || value === 0) return [];
      const from = value > 0 ? gains : losses;
      if (value > 0) gains += value;
      else losses += value;
      const [top, bottom] = [toY(Math.max(from, from + value)), toY(Math.min(from, from + value))];
      const bar = { x: toX(index) - width / 2, y: top, width, height: Math.max(1, bottom - top) };
      return [{ token, ...bar, isOpen: isOpen[index] === true }];
    });
  }).flat();

const Picture = ({
  label,
  times,
  isOpen = [],
  format,
  formatAxis = format,
  formatTime,
  drawing,
  width,
  height,
  pointed,
}: PlotProps & {
  drawing: Drawing;
  width: number;
  height: number;
  pointed: number | null;
}): JSX.Element => {
  const toX = (index: number): number => drawing.left + (index + drawing.inset) * drawing.step;
  const right = width - MARGIN.right;
  return (
    <svg role="img" aria-label={label} width={width} height={height}>
      {drawing.ticks.map(([value, y]) => (
        <>
          <line class="grid" x1={drawing.left} x2={right} y1={y} y2={y} />
          <text x={drawing.left - 10} y={y + 4} text-anchor="end">
            {formatAxis(value)}
          </text>
        </>
      ))}
      {chooseLabels(times.length, right - drawing.left, DATE_WIDTH_PX).map((index) => (
        <text x={Math.min(toX(index), right - 22)} y={height - 4} text-anchor="middle">
          {formatTime(times[index] ?? '')}
        </text>
      ))}
      {drawing.bars.map(({ token, isOpen: isPale, ...box }) => (
        <rect {...box} rx={1.5} style={`fill:var(${token})`} opacity={isPale ? 0.5 : 1} />
      ))}
      {drawing.lines.map((line) => (
        <PlotLine line={line} isOpen={isOpen} drawing={drawing} />
      ))}
      {drawing.bars.length === 0 ? null : (
        <line class="zero" x1={drawing.left} x2={right} y1={drawing.zero} y2={drawing.zero} />
      )}
      {pointed === null ? null : (
        <>
          <line
            class="pointer"
            x1={toX(pointed)}
            x2={toX(pointed)}
            y1={MARGIN.top}
            y2={height - MARGIN.bottom}
          />
          {drawing.lines.map(({ series, dots }) => {
            const dot = dots[pointed] ?? null;
            return dot === null ? null : (
              <circle
                class="dot"
                cx={dot[0]}
                cy={dot[1]}
                r={4}
                style={`fill:var(${series.token})`}
              />
            );
          })}
        </>
      )}
    </svg>
  );
};

const PlotLine = ({
  line: { series, dots },
  isOpen,
  drawing: { zero, barWidth },
}: {
  line: Line;
  isOpen: readonly boolean[];
  drawing: Drawing;
}): JSX.Element => {
  const style = `stroke:var(${series.token})`;
  if (series.shape === 'mark') {
    // On the zero line, marks of empty buckets would look like a line.
    const marked = dots.filter((dot) => dot?.[1] !== zero);
    return <path class="line" d={drawMarks(marked, barWidth)} style={style} />;
  }
  if (series.dashed === true) return <path class="line dashed" d={drawPath(dots)} style={style} />;
  const closed = dots.map((dot, index) => (isOpen[index] === true ? null : dot));
  // The dashed part begins at the end of the solid part, so that the line is continuous.
  const open = dots.map((dot, index) =>
    [isOpen[index - 1], isOpen[index], isOpen[index + 1]].includes(true) ? dot : null,
  );
  const [first, last] = [dots.find((dot) => dot !== null), dots.findLast((dot) => dot !== null)];
  return (
    <>
      {series.shape === 'area' && first != null && last != null && !dots.includes(null) ? (
        <path
          d={`${drawPath(dots)}L${last[0]},${zero}L${first[0]},${zero}Z`}
          style={`fill:var(${series.token})`}
          opacity={0.08}
        />
      ) : null}
      <path class="line" d={drawPath(closed)} style={style} />
      <path class="line lonely" d={findLonelyDots(dots)} style={style} />
      {isOpen.includes(true) ? <path class="line dashed" d={drawPath(open)} style={style} /> : null}
    </>
  );
};

const Tooltip = ({
  times,
  series,
  isOpen = [],
  format,
  formatTime,
  drawing,
  index,
}: PlotProps & { drawing: Drawing; index: number }): JSX.Element => {
  const x = drawing.left + (index + drawing.inset) * drawing.step;
  const isRight = index > times.length / 2;
  return (
    <div
      class="plot-tip"
      style={`left:${x}px;transform:translateX(${isRight ? 'calc(-100% - 12px)' : '12px'})`}
    >
      <strong>
        {formatTime(times[index] ?? '')}
        {isOpen[index] === true ? <span class="muted"> · not over yet</span> : null}
      </strong>
      {series.map((each) => {
        const value = each.values[index] ?? null;
        return value === null || (each.shape === 'bar' && value === 0) ? null : (
          <span>
            <Swatch series={each} />
            {each.label}
            <b>{format(value)}</b>
          </span>
        );
      })}
    </div>
  );
};
