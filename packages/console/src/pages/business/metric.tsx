import type { MetricDefinition, MetricSeries } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { Button, Card, Empty, Failure, Notice, Skeleton, Status } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { download } from '../../ui/download';
import { formatDate, formatNumber } from '../../ui/format';
import { Page, tenantPath } from '../../ui/page';
import { Plot, type PlotSeries } from '../../ui/plot';
import { useQuery } from '../../ui/query';
import { Table } from '../../ui/table';
import { formatValue, METRICS, WINDOWS } from './metric-catalogue';
import { windowOf } from './metrics';

type Point = MetricSeries['points'][number];
type Granularity = MetricSeries['granularity'];

const GRANULARITIES: readonly (readonly [Granularity, string])[] = [
  ['day', 'By day'],
  ['week', 'By week'],
  ['month', 'By month'],
];

/** One metric: its plot, its numbers as a table, and how it is counted. */
export const MetricPage = (): JSX.Element => {
  const name = useRoute().params['metric'] ?? '';
  const { query } = useQuery();
  const window = windowOf(query['window']);
  const granularity = GRANULARITIES.find(([each]) => each === query['granularity'])?.[0] ?? 'day';
  const key = `${name}/${window}/${granularity}`;
  const { state, reload } = useLoaded(key, async (signal) => {
    const [series, definition] = await Promise.all([
      service().metrics.get(name, { window, granularity }, { signal }),
      service().metrics.definition(name, { signal }),
    ]);
    return { series, definition };
  });
  const title = METRICS.find((metric) => metric.name === name)?.title ?? name;
  return (
    <Page
      title={title}
      crumbs={[['Metrics', tenantPath(`/metrics?window=${window}`)]]}
      actions={
        <>
          <Choice
            name="window"
            title="Last 30 days"
            options={WINDOWS.filter(([each]) => each !== 'last_30d')}
          />
          <Choice name="granularity" title="By day" options={GRANULARITIES.slice(1)} />
        </>
      }
      call={{
        method: 'GET',
        path: `/v1/metrics/${name}?window=${window}&granularity=${granularity}`,
        sdk: `const series = await service.metrics.get('${name}', {\n  window: '${window}',\n  granularity: '${granularity}',\n});`,
      }}
    >
      {state.kind === 'loading' ? <Skeleton lines={8} /> : null}
      {state.kind === 'failed' ? <Failure error={state.error} retry={reload} /> : null}
      {state.kind === 'ready' ? <Content title={title} {...state.value} /> : null}
    </Page>
  );
};

const Content = ({
  title,
  series,
  definition,
}: {
  title: string;
  series: MetricSeries;
  definition: MetricDefinition;
}): JSX.Element => {
  const plot = useMemo(() => plotOf(title, series), [series]);
  if (series.points.length === 0) {
    return (
      <Card>
        <Empty title="Nothing to count yet">
          The first event of this environment starts the series.
        </Empty>
      </Card>
    );
  }
  return (
    <>
      <Card
        title={title}
        actions={
          <>
            <Button
              small
              onClick={() => {
                download(`${series.metric}.csv`, 'text/csv', csvOf(series));
              }}
            >
              CSV
            </Button>
            <Button
              small
              onClick={() => {
                downloadPlot(series.metric);
              }}
            >
              PNG
            </Button>
          </>
        }
      >
        <Plot
          label={`${title} over time`}
          times={plot.times}
          series={plot.lines}
          format={(value) => formatValue(value, series)}
          height={300}
        />
        {series.points.some(({ maturing }) => maturing) ? (
          <Notice>
            Some buckets are still maturing: what is not settled yet counts as not reached.
          </Notice>
        ) : null}
      </Card>
      <div class="grid-2">
        <Card title="How it is counted">
          <div class="stack">
            <p>{definition.formula}</p>
            {definition.exclusions.length === 0 ? null : (
              <>
                <h3>Left out</h3>
                <ul class="stack" style="gap:4px">
                  {definition.exclusions.map((each) => (
                    <li class="muted">{each}</li>
                  ))}
                </ul>
              </>
            )}
            <p class="small muted">Definition version {definition.version}.</p>
          </div>
        </Card>
        <Card title="Numbers" flush>
          <div style="max-height:420px;overflow:auto;margin-top:10px">
            <Table
              label="Numbers"
              rows={series.points.toReversed()}
              idOf={({ timestamp }) => timestamp}
              columns={[
                { title: 'From', cell: ({ timestamp }: Point) => formatDate(timestamp) },
                {
                  title: 'Value',
                  numeric: true,
                  cell: ({ value }: Point) => formatValue(value, series),
                },
                {
                  title: 'Sample',
                  numeric: true,
                  cell: ({ sample_size: size }: Point) => formatNumber(size),
                },
                {
                  title: 'State',
                  cell: ({ partial, maturing }: Point) => (
                    <Status value={maturing ? 'maturing' : partial ? 'partial' : 'complete'} />
                  ),
                },
              ]}
            />
          </div>
        </Card>
      </div>
    </>
  );
};

const MOVEMENTS = [
  ['new', 'New', '--ok'],
  ['expansion', 'Expansion', '--info'],
  ['reactivation', 'Reactivation', '--accent'],
  ['resumed', 'Resumed', '--idle'],
  ['contraction', 'Contraction', '--warn'],
  ['paused', 'Paused', '--ink-3'],
  ['churn', 'Churn', '--bad'],
] as const;

const plotOf = (
  title: string,
  series: MetricSeries,
): { readonly times: readonly number[]; readonly lines: readonly PlotSeries[] } => {
  const times = series.points.map(({ timestamp }) => new Date(timestamp).getTime() / 1000);
  if (series.points.some(({ movements }) => movements !== undefined)) {
    return { times, lines: stackedBars(series.points) };
  }
  const isSettled = ({ partial, maturing }: Point): boolean => !partial && !maturing;
  const settled = series.points.map((point) => (isSettled(point) ? point.value : null));
  // The dashed line touches the solid one, so that the eye can follow it.
  const open = series.points.map((point, index) => {
    const next = series.points[index + 1];
    const previous = series.points[index - 1];
    const touches = [next, previous].some((each) => each !== undefined && !isSettled(each));
    return !isSettled(point) || touches ? point.value : null;
  });
  return {
    times,
    lines: [
      { label: title, token: '--accent', values: settled },
      { label: 'Not over yet', token: '--accent', values: open, dashed: true },
    ],
  };
};

/** Gains are stacked upwards and losses downwards; the highest bar is drawn first, the others on it. */
const stackedBars = (points: readonly Point[]): readonly PlotSeries[] => {
  const gains = MOVEMENTS.slice(0, 4);
  const losses = MOVEMENTS.slice(4);
  return [gains, losses].flatMap((group) =>
    group
      .map(([name, label, token], index) => ({
        label,
        token,
        bars: true,
        values: points.map(({ movements }) =>
          movements === undefined
            ? null
            : group.slice(0, index + 1).reduce((sum, [each]) => sum + movements[each], 0),
        ),
        name,
      }))
      .toReversed(),
  );
};

const csvOf = (series: MetricSeries): string =>
  [
    'timestamp,value,partial,sample_size',
    ...series.points.map(
      ({ timestamp, value, partial, sample_size: size }) =>
        `${timestamp},${value},${String(partial)},${size}`,
    ),
  ].join('\n');

const downloadPlot = (metric: string): void => {
  const canvas = document.querySelector<HTMLCanvasElement>('.plot canvas');
  canvas?.toBlob((blob) => {
    if (blob !== null) download(`${metric}.png`, 'image/png', blob);
  });
};
