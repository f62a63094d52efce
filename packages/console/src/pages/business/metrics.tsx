import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Loaded, useLoaded } from '../../api/load';
import { Card, Failure, Skeleton } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { Page, tenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { Sparkline } from '../../ui/sparkline';
import { entryOf, formatValue, metricGroups, type MetricEntry } from './metric-catalogue';
import { Delta, periodOf } from './metric-delta';
import { MetricPlot, shownValue } from './metric-plot';
import { headlineOf } from './metric-summary';
import {
  type Compared,
  granularityOf,
  loadCompared,
  titleOfWindow,
  type Window,
  windowOf,
  WINDOWS,
} from './metric-window';

/** These two are drawn large at the top; the cards show the others. */
const LARGE = ['mrr', 'mrr_movements'];

/** All metrics: revenue as plots, the others as cards with their course, each a link to its plot. */
export const Metrics = (): JSX.Element => {
  const { query } = useQuery();
  const window = windowOf(query['window']);
  return (
    <Page
      title="Metrics"
      about="Open a number for its plot, its definition and the numbers behind it. Days are UTC."
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
      <div class="grid-2">
        {LARGE.map((name) => (
          <LargeMetric key={`${name}/${window}`} entry={entryOf(name)} window={window} />
        ))}
      </div>
      {metricGroups().map(([title, metrics]) => (
        <section class="stack">
          <h2>{title}</h2>
          <div class="grid-3">
            {metrics
              .filter(({ name }) => !LARGE.includes(name))
              .map((entry) => (
                <MetricCard key={`${entry.name}/${window}`} entry={entry} window={window} />
              ))}
          </div>
        </section>
      ))}
    </Page>
  );
};

interface MetricProps {
  readonly entry: MetricEntry;
  readonly window: Window;
}

const hrefOf = ({ entry, window }: MetricProps): string =>
  tenantPath(`/metrics/${entry.name}?window=${window}`);

const useMetric = ({ entry, window }: MetricProps, isSeen: boolean): Loaded<Compared> | null => {
  const { state } = useLoaded(`${entry.name}/${window}/${String(isSeen)}`, async (signal) =>
    isSeen ? loadCompared(entry.name, window, granularityOf(undefined, window), signal) : null,
  );
  if (state.kind !== 'ready') return state;
  return state.value === null ? null : { kind: 'ready', value: state.value };
};

const LargeMetric = (props: MetricProps): JSX.Element => {
  const state = useMetric(props, true);
  return (
    <Card>
      <a class="plain" href={hrefOf(props)}>
        <Headings {...props} state={state} />
      </a>
      {state?.kind === 'ready' ? (
        <MetricPlot
          title={props.entry.title}
          compared={state.value}
          withPrevious={props.window !== 'all_time'}
          height={220}
        />
      ) : (
        <div style="height:220px" />
      )}
    </Card>
  );
};

const MetricCard = (props: MetricProps): JSX.Element => {
  const card = useRef<HTMLAnchorElement>(null);
  const state = useMetric(props, useSeen(card));
  return (
    <a ref={card} class="card plain link-card" href={hrefOf(props)}>
      <Headings {...props} state={state} />
      {state?.kind === 'ready' ? (
        <Sparkline
          values={state.value.series.points.map((point) =>
            shownValue(point, state.value.series.unit),
          )}
          label={`${props.entry.title} over the window`}
        />
      ) : (
        <div style="height:44px" />
      )}
    </a>
  );
};

const Headings = ({
  entry,
  window,
  state,
}: MetricProps & { state: Loaded<Compared> | null }): JSX.Element => {
  if (state?.kind === 'failed') return <Failure error={state.error} />;
  const title = <dt>{entry.title}</dt>;
  if (state?.kind !== 'ready') {
    return (
      <dl class="stat">
        {title}
        <dd>{state === null ? '…' : <Skeleton lines={1} />}</dd>
      </dl>
    );
  }
  const { series } = state.value;
  const headline = headlineOf(state.value, entry.summary);
  return (
    <dl class="stat">
      {title}
      <dd>{headline.value === null ? '–' : formatValue(headline.value, series)}</dd>
      <dd class="note">
        <Delta entry={entry} headline={headline} series={series} />{' '}
        {headline.value === null
          ? `nothing to count, ${titleOfWindow(window).toLowerCase()}`
          : periodOf(entry, headline, series, titleOfWindow(window))}
      </dd>
    </dl>
  );
};

/** True once an element has come near what can be seen: what nobody scrolls to is not asked for. */
const useSeen = (element: { readonly current: Element | null }): boolean => {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => {
      observer.disconnect();
    };
  }, []);
  return isSeen;
};
