import type { MetricSeries } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useLoaded } from '../../api/load';
import { service } from '../../api/service';
import { inTurn } from '../../api/turns';
import { Failure, Skeleton } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { Page, tenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { Sparkline } from '../../ui/sparkline';
import { formatValue, METRICS, type MetricEntry, WINDOWS } from './metric-catalogue';

/** All metrics as cards: the latest whole value, its course, and a link to the plot. */
export const Metrics = (): JSX.Element => {
  const { query } = useQuery();
  const window = windowOf(query['window']);
  return (
    <Page
      title="Metrics"
      about="Every number says how it is counted: open one for its plot and its definition."
      actions={
        <Choice
          name="window"
          title="Last 30 days"
          options={WINDOWS.filter(([name]) => name !== 'last_30d')}
        />
      }
      call={{
        method: 'GET',
        path: `/v1/metrics/mrr?window=${window}`,
        sdk: `const series = await service.metrics.get('mrr', { window: '${window}' });`,
      }}
    >
      {groups().map(([title, metrics]) => (
        <section class="stack">
          <h2>{title}</h2>
          <div class="grid-3">
            {metrics.map((metric) => (
              <MetricCard key={`${metric.name}/${window}`} metric={metric} window={window} />
            ))}
          </div>
        </section>
      ))}
    </Page>
  );
};

export const windowOf = (text: string | undefined): MetricSeries['window'] =>
  WINDOWS.find(([name]) => name === text)?.[0] ?? 'last_30d';

const groups = (): readonly (readonly [string, readonly MetricEntry[]])[] => {
  const byGroup = new Map<string, MetricEntry[]>();
  for (const metric of METRICS) {
    byGroup.set(metric.group, [...(byGroup.get(metric.group) ?? []), metric]);
  }
  return [...byGroup];
};

const MetricCard = ({
  metric,
  window,
}: {
  metric: MetricEntry;
  window: MetricSeries['window'];
}): JSX.Element => {
  const { state } = useLoaded(`${metric.name}/${window}`, (signal) =>
    inTurn(signal, () =>
      service().metrics.get(metric.name, { window, granularity: 'day' }, { signal }),
    ),
  );
  return (
    <a
      class="card"
      style="color:inherit;text-decoration:none"
      href={tenantPath(`/metrics/${metric.name}?window=${window}`)}
    >
      <dl class="stat">
        <dt>{metric.title}</dt>
        {state.kind === 'ready' ? (
          <dd>{latestOf(state.value)}</dd>
        ) : (
          <dd>{state.kind === 'loading' ? <span class="skeleton" /> : '–'}</dd>
        )}
      </dl>
      {state.kind === 'loading' ? <Skeleton lines={1} /> : null}
      {state.kind === 'failed' ? <Failure error={state.error} /> : null}
      {state.kind === 'ready' ? (
        <Sparkline
          values={state.value.points.map(({ value }) => value)}
          label={`${metric.title} over the window`}
        />
      ) : null}
    </a>
  );
};

/** The newest value whose bucket is over; of a gauge the newest of all. */
const latestOf = (series: MetricSeries): string => {
  const whole = series.points.filter(({ partial, sample_size: size }) => !partial && size > 0);
  const point = whole.at(-1) ?? series.points.at(-1);
  return point === undefined ? '–' : formatValue(point.value, series);
};
