import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatDay, formatMonth } from '../../ui/format';
import { Plot, type PlotSeries } from '../../ui/plot';
import { formatTick, formatValue } from './metric-catalogue';
import { chooseShownValue, findMovements } from './metric-values';
import type { Compared, Point } from './metric-window';

/** The plot of a metric. MRR movements are stacked bars with their sum as a mark, other metrics are lines. */
export const MetricPlot = ({
  title,
  compared,
  withPrevious,
  height,
}: {
  title: string;
  compared: Compared;
  withPrevious: boolean;
  height?: number;
}): JSX.Element => {
  const { series } = compared;
  const isMonthly = series.granularity === 'month';
  const plot = useMemo(
    () => ({
      times: series.points.map(({ timestamp }) => timestamp),
      isOpen: series.points.map(isUnsettled),
      lines: createLines(title, compared, withPrevious),
    }),
    [compared, withPrevious],
  );
  return (
    <Plot
      label={`${title} over time`}
      times={plot.times}
      isOpen={plot.isOpen}
      series={plot.lines}
      format={(value) => formatValue(value, series)}
      formatAxis={(value) => formatTick(value, series)}
      formatTime={(at) => (isMonthly ? formatMonth : formatDay)(at, series.timezone)}
      isCount={series.unit === 'count'}
      {...(height === undefined ? {} : { height })}
    />
  );
};

const isUnsettled = ({ partial, maturing }: Point): boolean => partial || maturing;

const createLines = (
  title: string,
  { series, previous }: Compared,
  withPrevious: boolean,
): readonly PlotSeries[] => {
  if (series.points.some(({ movements }) => movements !== undefined))
    return createMovements(series.points);
  const before: PlotSeries = {
    label: 'The period before',
    token: '--ink-3',
    dashed: true,
    values: previous.map((point) => (point === null ? null : chooseShownValue(point, series.unit))),
  };
  const hasBefore = before.values.some((value) => value !== null);
  return [
    ...(withPrevious && hasBefore ? [before] : []),
    {
      label: title,
      token: '--accent',
      shape: 'area',
      values: series.points.map((point) => chooseShownValue(point, series.unit)),
    },
  ];
};

/** The kinds of movement that occur as bars, so that the legend has no other colours, and their sum. */
const createMovements = (points: readonly Point[]): readonly PlotSeries[] => {
  const bars = findMovements(points).map(([name, label, token]) => ({
    label,
    token,
    shape: 'bar' as const,
    values: points.map(({ movements }) => movements?.[name] ?? 0),
  }));
  const net = {
    label: 'Net',
    token: '--ink',
    shape: 'mark' as const,
    values: points.map(({ value }) => value),
  };
  return bars.length === 0 ? [] : [...bars, net];
};
