import type { MetricDefinition } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useLastPart } from '../../ui/address';
import { useLoaded } from '../../api/load';
import { readPlans, useNameChoices } from '../../api/names';
import { service } from '../../api/service';
import { maySee, membership } from '../../api/session';
import {
  Button,
  Card,
  Failure,
  LinkButton,
  Notice,
  Prose,
  Skeleton,
  Status,
  useAction,
} from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { download } from '../../ui/download';
import { formatDay, formatMonth, formatNumber } from '../../ui/format';
import { Page, createTenantPath } from '../../ui/page';
import { drawPlotImage } from '../../ui/plot-image';
import { useQuery } from '../../ui/query';
import { Table } from '../../ui/table';
import { CurrencyChoice } from './currency-choice';
import { COUNTED_SUBSCRIBERS, findEntry, formatValue, type MetricEntry } from './metric-catalogue';
import { createMetricCsv } from './metric-csv';
import { Delta, describePeriod } from './metric-delta';
import { MetricPlot } from './metric-plot';
import { EmptyMetric } from './metric-empty';
import { chooseShownValue, findMovements } from './metric-values';
import { findHeadline, isEmpty } from './metric-summary';
import {
  type Compared,
  type Cut,
  GRANULARITIES,
  loadCompared,
  createMetricParams,
  type Period,
  readPeriod,
  type Point,
  formatPeriod,
} from './metric-window';
import { PeriodChoices } from './period-choices';

interface ShownMetric {
  readonly entry: MetricEntry;
  readonly period: Period;
  readonly compared: Compared;
  readonly definition: MetricDefinition;
}

/**
 * The page of a metric: its plot with the period before, its formula, and its values as a table.
 */
export const MetricPage = (): JSX.Element => {
  const name = useLastPart();
  const { query } = useQuery();
  const period = readPeriod(query);
  const { granularity } = period;
  const usual = readPeriod({ ...query, granularity: '' }).granularity;
  const entry = findEntry(name);
  const counted = COUNTED_SUBSCRIBERS[name];
  const asked = readCut(query);
  const params = createMetricParams(period);
  const key = `${name}/${JSON.stringify([period, asked])}`;
  const { state, reload } = useLoaded(key, async (signal) => {
    const definition = await service().metrics.definition(name, { signal });
    const supports = (parameter: string): boolean => definition.parameters.includes(parameter);
    // A filter that this metric does not support is ignored.
    const cut = Object.fromEntries(Object.entries(asked).filter(([each]) => supports(each)));
    const shown = {
      ...period,
      timezone: supports('timezone') ? period.timezone : 'UTC',
      currency: supports('currency')
        ? ((await findPlanCurrency(cut.plan, signal)) ?? period.currency)
        : null,
    };
    return { definition, shown, compared: await loadCompared(name, shown, signal, cut) };
  });
  const call = {
    ...createMetricParams(state.kind === 'ready' ? state.value.shown : period),
    granularity,
    ...asked,
  };
  return (
    <Page
      title={entry.title}
      crumbs={[['Metrics', createTenantPath(`/metrics?${new URLSearchParams(params).toString()}`)]]}
      actions={
        counted === undefined || !maySee('/subscribers') ? null : (
          <LinkButton icon="subscribers" href={createTenantPath(`/subscribers?${counted}`)}>
            Who is counted now
          </LinkButton>
        )
      }
      call={{
        method: 'GET',
        path: `/v1/metrics/${name}?${new URLSearchParams(call).toString()}`,
        sdk: `const series = await service.metrics.get('${name}', ${JSON.stringify(call, null, 2)});`,
      }}
    >
      <div class="filters">
        <PeriodChoices />
        <Choice
          name="granularity"
          title={GRANULARITIES.find(([each]) => each === usual)?.[1] ?? ''}
          options={GRANULARITIES.filter(([each]) => each !== usual)}
        />
        <CutChoices
          // After a refusal, what was chosen can be corrected.
          parameters={
            state.kind === 'ready' ? state.value.definition.parameters : Object.keys(asked)
          }
          hasPlan={asked.plan !== undefined}
        />
        {(period.own === null && period.window === 'all_time') ||
        name === 'mrr_movements' ? null : (
          <Choice
            name="compare"
            label="Comparison"
            title="Compare with the period before"
            options={[['none', 'No comparison']]}
          />
        )}
      </div>
      {state.kind === 'loading' ? (
        <Card>
          <Skeleton lines={8} />
        </Card>
      ) : null}
      {state.kind === 'failed' ? (
        <Card>
          <Failure error={state.error} retry={reload} />
        </Card>
      ) : null}
      {state.kind === 'ready' ? <Content entry={entry} period={period} {...state.value} /> : null}
    </Page>
  );
};

const readCut = ({ plan, cohort_id: cohortId }: Readonly<Record<string, string>>): Cut => ({
  ...(plan === undefined ? {} : { plan }),
  ...(cohortId === undefined ? {} : { cohort_id: cohortId }),
});

/** Returns the currency of the plan to which a metric is restricted: its amounts have no other. */
const findPlanCurrency = async (
  plan: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> =>
  plan === undefined
    ? undefined
    : (await readPlans(signal)).find(({ id }) => id === plan)?.currency;

/** Filters by plan and cohort, and the currency of amounts, if the metric supports them. */
const CutChoices = ({
  parameters,
  hasPlan,
}: {
  parameters: readonly string[];
  hasPlan: boolean;
}): JSX.Element | null => {
  const plans = useNameChoices('plans');
  const cohorts = useNameChoices('cohorts');
  const supportsPlan = parameters.includes('plan') && plans.length > 0;
  const supportsCohort = parameters.includes('cohort_id') && cohorts.length > 0;
  return (
    <>
      {supportsPlan ? <Choice name="plan" title="Every plan" options={plans} /> : null}
      {supportsCohort ? <Choice name="cohort_id" title="Everybody" options={cohorts} /> : null}
      {parameters.includes('currency') && !hasPlan ? <CurrencyChoice /> : null}
    </>
  );
};

const Content = (shown: ShownMetric): JSX.Element => {
  const { query, href } = useQuery();
  const isCut = Object.keys(readCut(query)).length > 0 || query['currency'] !== undefined;
  // Of some subscribers only, zero is a number like any other.
  if (!isCut && isEmpty(shown.compared)) {
    const isAll = shown.period.own === null && shown.period.window === 'all_time';
    return (
      <>
        <Card>
          <EmptyMetric
            entry={shown.entry}
            action={
              isAll ? undefined : (
                <a href={href({ window: 'all_time', from: null, to: null })}>Count all time</a>
              )
            }
          />
        </Card>
        <DefinitionCard definition={shown.definition} />
      </>
    );
  }
  // Then the table has many columns.
  const hasMovements = findMovements(shown.compared.series.points).length > 0;
  return (
    <>
      <PlotCard {...shown} />
      <div class={hasMovements ? 'stack wide' : 'grid-2 top'}>
        <DefinitionCard definition={shown.definition} />
        <NumbersCard {...shown} />
      </div>
    </>
  );
};

const PlotCard = ({ entry, period, compared }: ShownMetric): JSX.Element => {
  const { series } = compared;
  const { query } = useQuery();
  const box = useRef<HTMLDivElement>(null);
  const headline = findHeadline(compared, entry.summary);
  const title = formatPeriod(period);
  const savePicture = useAction(async () => {
    const svg = box.current?.querySelector('svg');
    const heading = [membership.value?.tenant.name, entry.title, title, series.currency]
      .concat(`days in ${series.timezone}`)
      .filter((text) => text != null)
      .join(', ');
    const picture = svg == null ? null : await drawPlotImage(svg, heading);
    if (picture !== null) download(`${series.metric}.png`, 'image/png', picture);
  });
  return (
    <Card>
      <div class="row spread top">
        <dl class="stat">
          <dt class="visually-hidden">{entry.title}</dt>
          <dd>{headline.value === null ? '–' : formatValue(headline.value, series)}</dd>
          <dd class="note">
            <Delta entry={entry} headline={headline} series={series} />{' '}
            {describePeriod(entry, headline, series, title)}
          </dd>
        </dl>
        <div class="row">
          <Button
            small
            onClick={() => {
              download(`${series.metric}.csv`, 'text/csv', createMetricCsv(compared));
            }}
          >
            CSV
          </Button>
          <Button small onClick={savePicture.run}>
            PNG
          </Button>
        </div>
      </div>
      <div ref={box}>
        <MetricPlot
          title={entry.title}
          compared={compared}
          withPrevious={
            (period.own !== null || period.window !== 'all_time') && query['compare'] !== 'none'
          }
          height={300}
        />
      </div>
      {series.points.some(({ maturing }) => maturing) ? (
        <Notice>
          Some buckets are still maturing: what is not settled yet counts as not reached.
        </Notice>
      ) : null}
    </Card>
  );
};

const DefinitionCard = ({ definition }: { definition: MetricDefinition }): JSX.Element => (
  <Card title="How it is counted">
    <div class="stack">
      <p>
        <Prose text={toSentence(definition.formula)} />
      </p>
      {definition.exclusions.length === 0 ? null : (
        <>
          <h3>Left out</h3>
          <ul class="bullets muted">
            {definition.exclusions.map((each) => (
              <li>{each}</li>
            ))}
          </ul>
        </>
      )}
      <p class="small muted">Version {definition.version} of the definition.</p>
    </div>
  </Card>
);

const toSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

const NumbersCard = ({ compared: { series } }: ShownMetric): JSX.Element => (
  <Card title="Numbers" flush>
    <div class="scroll">
      <Table
        label="Numbers"
        rows={series.points.toReversed()}
        getId={({ timestamp }) => timestamp}
        columns={[
          {
            title: 'From',
            cell: ({ timestamp }: Point) =>
              (series.granularity === 'month' ? formatMonth : formatDay)(
                timestamp,
                series.timezone,
              ),
          },
          {
            title: 'Value',
            numeric: true,
            cell: (point: Point) => {
              const value = chooseShownValue(point, series.unit);
              return value === null ? <span class="muted">–</span> : formatValue(value, series);
            },
          },
          ...findMovements(series.points).map(([name, title]) => ({
            title,
            numeric: true,
            cell: ({ movements }: Point) => formatValue(movements?.[name] ?? 0, series),
          })),
          {
            title: 'Sample',
            numeric: true,
            cell: ({ sample_size: size }: Point) => formatNumber(size),
          },
          {
            title: '',
            cell: ({ partial, maturing }: Point) =>
              maturing || partial ? <Status value={maturing ? 'maturing' : 'partial'} /> : null,
          },
        ]}
      />
    </div>
  </Card>
);
