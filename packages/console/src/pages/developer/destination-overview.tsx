import type { Destination, MetricSeries } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { readFirstPage, service } from '../../api/service';
import { runInTurn } from '../../api/turns';
import { may } from '../../api/session';
import {
  Card,
  Empty,
  Failure,
  LoadedValue,
  Notice,
  Skeleton,
  Stat,
  Status,
  Time,
  Waiting,
} from '../../ui/basics';
import {
  formatCount,
  formatDay,
  formatDuration,
  formatMonth,
  formatNumber,
  formatShare,
} from '../../ui/format';
import { createTenantPath } from '../../ui/page';
import { Plot } from '../../ui/plot';
import { Table } from '../../ui/table';
import { formatFirstTryRate } from '../home/first-try-rate';
import { NextTry } from './next-try';

const METRIC_NAMES = ['delivery_success', 'delivery_latency_p50', 'delivery_latency_p95'] as const;

/**
 * The periods of the plots. The second one is shown if no event of the first one was tried: events
 * of an import or of a simulation are older, and so is what a destination waits for that is down.
 */
const PERIODS = [
  { window: 'last_30d', granularity: 'day' },
  { window: 'all_time', granularity: 'month' },
] as const;
const PLOTS_POLL_MS = 60_000;

/** The health of a destination: success, latency, waiting deliveries and the last failure. */
export const DestinationOverview = ({
  destination,
  isFailing,
}: {
  destination: Destination;
  isFailing: boolean;
}): JSX.Element => (
  <>
    <Now destination={destination} />
    {may('metrics.get') ? <Health destination={destination} /> : null}
    <Trouble destination={destination} isFailing={isFailing} />
    {may('auditLog.list') ? <History destinationId={destination.id} /> : null}
  </>
);

/** Loads the health of the destination: whether it answers, and the waiting deliveries. */
const Now = ({ destination }: { destination: Destination }): JSX.Element => {
  const { state, reload } = useLoaded(
    `now/${destination.id}`,
    async (signal) => {
      const { data } = await readFirstPage(
        service().destinations.listHealth({ destination_id: destination.id }, { signal }),
      );
      return data[0] ?? null;
    },
    10_000,
  );
  if (state.kind === 'loading') return <Skeleton lines={3} />;
  if (state.kind === 'failed') return <Failure error={state.error} retry={reload} />;
  const health = state.value;
  if (health === null) return <></>;
  const { last_24_hours: day } = health;
  return (
    <>
      {health.failing_since === null || health.health !== 'failing' ? null : (
        <Notice tone="bad">
          Failing since <Time at={health.failing_since} exact />, last with{' '}
          <strong>{health.last_status_code ?? health.last_error?.replaceAll('_', ' ')}</strong>. One
          event at a time tries whether it answers again; everything else waits and keeps its order.
        </Notice>
      )}
      <div class="grid-4">
        <Stat
          label="Delivered"
          value={formatNumber(day.delivered)}
          note={`in 24 hours, ${formatNumber(day.failed)} failed`}
        />
        <Stat
          label="At the first try"
          value={formatFirstTryRate([health])}
          note="of 24 hours and all that waits"
        />
        <Stat
          label="Answered in"
          value={day.response_p95_ms === null ? '–' : formatDuration(day.response_p95_ms)}
          note="95 % of the attempts"
        />
        <Stat
          label="In flight"
          value={formatNumber(health.in_flight)}
          note={`attempts now, at most ${formatNumber(destination.max_in_flight)}`}
        />
        <Stat
          label="Waiting"
          value={formatNumber(health.waiting)}
          note={
            health.oldest_waiting_at === null ? (
              <>
                last success <Time at={health.last_success_at} />
              </>
            ) : (
              <>
                the oldest happened <Time at={health.oldest_waiting_at} />
              </>
            )
          }
        />
      </div>
    </>
  );
};

const Health = ({ destination }: { destination: Destination }): JSX.Element => {
  const { state, reload } = useLoaded(
    `health/${destination.id}`,
    async (signal) => {
      let series: readonly MetricSeries[] = [];
      for (const period of PERIODS) {
        series = await Promise.all(
          METRIC_NAMES.map((name) =>
            runInTurn(signal, () =>
              service().metrics.get(
                name,
                { ...period, destination_id: destination.id },
                { signal },
              ),
            ),
          ),
        );
        if (series[0] !== undefined && countTried(series[0]) > 0) break;
      }
      return series;
    },
    PLOTS_POLL_MS,
  );
  if (state.kind === 'loading') return <Skeleton lines={5} />;
  if (state.kind === 'failed') return <Failure error={state.error} retry={reload} />;
  const [success, median, p95] = state.value;
  if (success === undefined || median === undefined || p95 === undefined) return <></>;
  return <HealthPlots success={success} median={median} p95={p95} />;
};

/** Returns the number of events of which at least one delivery was tried. */
const countTried = ({ points }: MetricSeries): number =>
  points.reduce((sum, point) => sum + point.sample_size, 0);

const HealthPlots = ({
  success,
  median,
  p95,
}: {
  success: MetricSeries;
  median: MetricSeries;
  p95: MetricSeries;
}): JSX.Element => {
  const due = countTried(success);
  const { granularity } = success;
  const [within, formatBucket] =
    granularity === 'day' ? [' in 30 days', formatDay] : ['', formatMonth];
  const times = useMemo(() => success.points.map(({ timestamp }) => timestamp), [success]);
  const isOpen = useMemo(() => success.points.map(({ partial }) => partial), [success]);
  const rates = useMemo(
    () => [
      {
        label: 'Within 24 h',
        token: '--plot-1',
        shape: 'bar' as const,
        values: success.points.map((point) => Math.round(point.value * point.sample_size)),
      },
      {
        label: 'Later, or not yet',
        token: '--plot-5',
        shape: 'bar' as const,
        values: success.points.map((point) => Math.round((1 - point.value) * point.sample_size)),
      },
    ],
    [success],
  );
  const latencies = useMemo(
    () => [
      { label: 'Median', token: '--accent', values: readValues(median) },
      { label: 'p95', token: '--plot-6', values: readValues(p95) },
    ],
    [median, p95],
  );
  if (due === 0) {
    return (
      <Card>
        <Empty
          title="No event was tried yet"
          action={<a href={createTenantPath('/catalogue')}>Send an event of the catalogue</a>}
        >
          Apart from replays and tests.
        </Empty>
      </Card>
    );
  }
  const delivered = success.points.reduce((sum, point) => sum + point.value * point.sample_size, 0);
  return (
    <>
      <div class="grid-2">
        <Card title={`Deliveries by ${granularity}`}>
          <p class="small muted">
            {formatCount(due, 'event')} tried{within}, {formatShare(delivered / due)} delivered
            within 24 hours
          </p>
          <Plot
            label="Deliveries"
            times={times}
            isOpen={isOpen}
            series={rates}
            format={formatNumber}
            isCount
            formatTime={formatBucket}
            height={190}
          />
        </Card>
        <Card title="Latency">
          <p class="small muted">
            From the event to the response, by the {granularity} of the event
          </p>
          {latencies.every(({ values }) => values.every((value) => value === null)) ? (
            <p class="muted">Nothing was delivered{within}.</p>
          ) : (
            <Plot
              label="Latency of deliveries"
              times={times}
              isOpen={isOpen}
              series={latencies}
              format={(seconds) => formatDuration(seconds * 1000)}
              formatTime={formatBucket}
              height={190}
            />
          )}
        </Card>
      </div>
    </>
  );
};

const readValues = (series: MetricSeries): readonly (number | null)[] =>
  series.points.map(({ value, sample_size: size }) => (size === 0 ? null : value));

/** Shows the latest deliveries that wait or have failed. */
const Trouble = ({
  destination,
  isFailing,
}: {
  destination: Destination;
  isFailing: boolean;
}): JSX.Element => {
  const { state, reload } = useLoaded(
    `trouble/${destination.id}`,
    async (signal) => {
      const [pending, failed] = await Promise.all(
        (['pending', 'failed'] as const).map((status) =>
          readFirstPage(
            service().deliveries.list(destination.id, { status, limit: 10 }, { signal }),
          ),
        ),
      );
      return [...(pending?.data ?? []), ...(failed?.data ?? [])];
    },
    10_000,
  );
  return (
    <Card title="Waiting and failed" flush>
      <Waiting state={state} retry={reload} />
      {state.kind === 'ready' && state.value.length === 0 ? (
        <Empty title="All is delivered" isGood>
          Nothing waits and nothing has failed.
        </Empty>
      ) : null}
      {state.kind === 'ready' && state.value.length > 0 ? (
        <Table
          label="Waiting and failed deliveries"
          rows={state.value}
          getId={(row) => row.event_id}
          columns={[
            {
              title: 'Event',
              cell: (row) => (
                <a
                  href={createTenantPath(
                    `/destinations/${destination.id}?tab=deliveries&delivery=${row.event_id}`,
                  )}
                >
                  {row.event_type}
                </a>
              ),
            },
            { title: 'Status', cell: ({ status }) => <Status value={status} /> },
            {
              title: 'Last response',
              cell: (row) => row.last_status_code ?? row.last_error ?? <span class="muted">–</span>,
            },
            { title: 'Tries', numeric: true, cell: (row) => row.attempt_count },
            {
              title: 'Next try',
              cell: (row) => <NextTry at={row.next_attempt_at} isFailing={isFailing} />,
            },
          ]}
        />
      ) : null}
    </Card>
  );
};

/** Shows the changes to the destination with their actors, newest first. */
const History = ({ destinationId }: { destinationId: string }): JSX.Element => {
  const { state, reload } = useLoaded(`history/${destinationId}`, (signal) =>
    readFirstPage(service().auditLog.list({ object: destinationId, limit: 20 }, { signal })),
  );
  return (
    <Card
      title="History"
      flush
      actions={
        <a href={createTenantPath(`/settings?tab=audit&object=${destinationId}`)}>Audit log</a>
      }
    >
      <LoadedValue state={state} retry={reload}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No change in 400 days" isGood>
              Every change stands here with who made it.
            </Empty>
          ) : (
            <Table
              label="History of the destination"
              rows={data}
              getId={({ id }) => id}
              columns={[
                {
                  title: 'What',
                  cell: ({ action }) => action.replace('destination.', '').replaceAll('_', ' '),
                },
                { title: 'Who', cell: ({ actor }) => <span class="cell">{actor.name}</span> },
                { title: 'When', cell: (row) => <Time at={row.at} /> },
              ]}
            />
          )
        }
      </LoadedValue>
    </Card>
  );
};
