import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { describeError, type Loaded, useLoaded } from '../../api/load';
import { Button, Card, Skeleton } from '../../ui/basics';
import { Page, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { Sparkline } from '../../ui/sparkline';
import { CurrencyChoice } from './currency-choice';
import {
  findEntry,
  formatValue,
  groupMetrics,
  type MetricEntry,
  takesCurrency,
} from './metric-catalogue';
import { Delta, describePeriod } from './metric-delta';
import { MetricPlot } from './metric-plot';
import { chooseShownValue } from './metric-values';
import { EmptyMetric } from './metric-empty';
import { findHeadline, isEmpty } from './metric-summary';
import {
  type Compared,
  loadCompared,
  createMetricParams,
  type Period,
  readPeriod,
  formatPeriod,
} from './metric-window';
import { PeriodChoices } from './period-choices';
import { RetentionCard } from './retention';

/** Metrics with a large plot at the top. The others are cards. */
const LARGE_METRICS = ['mrr', 'mrr_movements'];

/**
 * The page of all metrics: plots of the revenue, and cards with a small curve for the others. Each
 * links to the page of its metric.
 */
export const Metrics = (): JSX.Element => {
  const { query } = useQuery();
  const period = readPeriod(query);
  const params = createMetricParams(period);
  const key = JSON.stringify(period);
  return (
    <Page
      title="Metrics"
      about="Open a number for its plot, its definition and the numbers behind it."
      call={{
        method: 'GET',
        path: `/v1/metrics/mrr?${new URLSearchParams(params).toString()}`,
        sdk: `const series = await service.metrics.get('mrr', ${JSON.stringify(params)});`,
      }}
    >
      <div class="filters">
        <PeriodChoices />
        <CurrencyChoice />
      </div>
      <div class="grid-2">
        {LARGE_METRICS.map((name) => (
          <LargeMetric key={`${name}/${key}`} entry={findEntry(name)} period={period} />
        ))}
      </div>
      {groupMetrics().map(([title, metrics]) => (
        <section class="stack">
          <h2>{title}</h2>
          <div class="grid-3">
            {metrics
              .filter(({ name }) => !LARGE_METRICS.includes(name))
              .map((entry) => (
                <MetricCard key={`${entry.name}/${key}`} entry={entry} period={period} />
              ))}
          </div>
        </section>
      ))}
      <RetentionCard />
    </Page>
  );
};

interface MetricProps {
  readonly entry: MetricEntry;
  readonly period: Period;
}

const createMetricHref = ({ entry, period }: MetricProps): string =>
  createTenantPath(
    `/metrics/${entry.name}?${new URLSearchParams(createMetricParams(period)).toString()}`,
  );

/** Loads the metric of a card; null while the card is not visible. */
const useMetric = (
  { entry, period }: MetricProps,
  isSeen: boolean,
): { readonly state: Loaded<Compared> | null; readonly reload: () => void } => {
  // Metrics of deliveries exist for days in UTC only.
  const shown = {
    ...period,
    ...(entry.name.startsWith('delivery_') ? { timezone: 'UTC' } : {}),
    ...(takesCurrency(entry) ? {} : { currency: null }),
  };
  const key = `${entry.name}/${JSON.stringify(shown)}/${String(isSeen)}`;
  const { state, reload } = useLoaded(key, async (signal) =>
    isSeen ? loadCompared(entry.name, shown, signal) : null,
  );
  if (state.kind !== 'ready') return { state, reload };
  return { state: state.value === null ? null : { kind: 'ready', value: state.value }, reload };
};

/**
 * A card for a metric that could not be loaded: its name, the reason, and a button to try again.
 */
const FailedMetric = ({
  entry,
  period,
  error,
  retry,
}: MetricProps & { error: unknown; retry: () => void }): JSX.Element => (
  <Card>
    <div class="stack" role="alert">
      <dl class="stat">
        <dt>
          <a href={createMetricHref({ entry, period })}>{entry.title}</a>
        </dt>
        <dd class="note">{describeError(error)}</dd>
      </dl>
      <div>
        <Button small onClick={retry} aria-label={`Try ${entry.title} again`}>
          Try again
        </Button>
      </div>
    </div>
  </Card>
);

const LargeMetric = (props: MetricProps): JSX.Element => {
  const { state, reload } = useMetric(props, true);
  if (state?.kind === 'failed') {
    return <FailedMetric {...props} error={state.error} retry={reload} />;
  }
  return (
    <Card>
      <a class="plain" href={createMetricHref(props)}>
        <Headings {...props} state={state} />
      </a>
      {state?.kind === 'ready' && props.period.currency === null && isEmpty(state.value) ? (
        <EmptyMetric entry={props.entry} />
      ) : state?.kind === 'ready' ? (
        <MetricPlot
          title={props.entry.title}
          compared={state.value}
          withPrevious={props.period.own !== null || props.period.window !== 'all_time'}
          height={220}
        />
      ) : (
        <div style="height:220px" />
      )}
    </Card>
  );
};

export const MetricCard = (props: MetricProps): JSX.Element => {
  const card = useRef<HTMLAnchorElement>(null);
  const { state, reload } = useMetric(props, useSeen(card));
  if (state?.kind === 'failed') {
    return <FailedMetric {...props} error={state.error} retry={reload} />;
  }
  return (
    <a ref={card} class="card plain link-card" href={createMetricHref(props)}>
      <Headings {...props} state={state} />
      {state?.kind === 'ready' ? (
        <Sparkline
          values={state.value.series.points.map((point) =>
            chooseShownValue(point, state.value.series.unit),
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
  period,
  state,
}: MetricProps & { state: Loaded<Compared> | null }): JSX.Element => {
  const name = <dt>{entry.title}</dt>;
  if (state?.kind !== 'ready') {
    return (
      <dl class="stat">
        {name}
        <dd>{state === null ? '…' : <Skeleton lines={1} />}</dd>
      </dl>
    );
  }
  const { series } = state.value;
  const headline = findHeadline(state.value, entry.summary);
  const title = formatPeriod(period);
  return (
    <dl class="stat">
      {name}
      <dd>{headline.value === null ? '–' : formatValue(headline.value, series)}</dd>
      <dd class="note">
        <Delta entry={entry} headline={headline} series={series} />{' '}
        {headline.value === null
          ? `nothing to count, ${title.toLowerCase()}`
          : describePeriod(entry, headline, series, title)}
      </dd>
    </dl>
  );
};

/**
 * True as soon as the element is near the visible part of the page. Metrics further down are loaded
 * later.
 */
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
