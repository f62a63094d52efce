import type { Destination, Replay } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { readAllPages, readFirstPage, service } from '../../api/service';
import { may } from '../../api/session';
import { Card, LinkButton, Notice, Time, LoadedValue } from '../../ui/basics';
import { formatCount, formatDate, formatDuration, formatNumber } from '../../ui/format';
import { Page, createTenantPath } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { DestinationStatus, getDestinationName } from '../developer/destinations';
import { isRunning, REPLAY_POLL_MS, ReplayProgress } from '../developer/replay-progress';
import { AnalystHome } from './analyst-home';
import { DeliveryNumbers } from './delivery-numbers';
import { formatFirstTryRate } from './first-try-rate';
import { FirstRun } from './first-run';
import { loadHealth, type Watched } from './health';
import { SupportHome } from './support-home';

const POLL_MS = 15_000;
/** Maximum number of destinations in the table. Failing ones come first. */
const ROWS_MAX = 20;
const NOTICES_MAX = 3;

const HOME_CALL = {
  method: 'GET',
  path: '/v1/destinations/health',
  sdk: 'for await (const health of service.destinations.listHealth()) {\n  console.log(health.destination_id, health.health, health.waiting);\n}',
} as const;

/** The first page: failing destinations, then the deliveries. Other roles see their own work. */
export const Home = (): JSX.Element =>
  may('destinations.listHealth') ? (
    <Page title="Home" call={HOME_CALL}>
      <Deliveries />
    </Page>
  ) : may('tickets.list') ? (
    <SupportHome />
  ) : (
    <AnalystHome />
  );

const Deliveries = (): JSX.Element => {
  // The first steps stay until the reader leaves them, because the secret is shown only once.
  const isInFirstRun = useRef(false);
  const { state, reload } = useLoaded(
    'home',
    async (signal) => {
      const [destinations, events] = await Promise.all([
        readAllPages(service().destinations.list({ limit: 100 }, { signal })),
        may('events.list')
          ? readFirstPage(service().events.list({ limit: 1 }, { signal }))
          : { data: [] },
      ]);
      return { destinations, hasEvents: events.data.length > 0 };
    },
    POLL_MS,
  );
  return (
    <LoadedValue state={state} retry={reload} lines={10}>
      {({ destinations, hasEvents }) => {
        isInFirstRun.current ||= destinations.length === 0 || !hasEvents;
        return isInFirstRun.current ? (
          <FirstRun
            destination={destinations[0] ?? null}
            hasEvents={hasEvents}
            onDone={() => {
              isInFirstRun.current = false;
              reload();
            }}
          />
        ) : (
          <>
            <Health destinations={destinations} />
            {may('replays.list') ? <RunningReplays destinations={destinations} /> : null}
          </>
        );
      }}
    </LoadedValue>
  );
};

/** The numbers of deliveries and the destinations. Failing destinations come first. */
const Health = ({ destinations }: { destinations: readonly Destination[] }): JSX.Element => {
  const ids = destinations.map(({ id, status }) => `${id}${status}`).join(',');
  const { state, reload } = useLoaded(
    `health/${ids}`,
    (signal) => loadHealth(destinations, signal),
    POLL_MS,
  );
  return (
    <LoadedValue state={state} retry={reload} lines={8}>
      {(watched) => (
        <>
          <FailingNotices failing={watched.filter(({ health }) => health.health === 'failing')} />
          <DeliveryNumbers watched={watched} />
          <Card
            title="Destinations"
            flush
            actions={
              <a href={createTenantPath('/destinations')}>
                All {watched.length > ROWS_MAX ? formatNumber(watched.length) : ''} destinations
              </a>
            }
          >
            <Table
              label="Destinations by trouble"
              rows={watched.slice(0, ROWS_MAX)}
              getId={({ destination }) => destination.id}
              columns={COLUMNS}
            />
          </Card>
        </>
      )}
    </LoadedValue>
  );
};

/** Shows a notice for each of the first failing destinations, and one for all others. */
const FailingNotices = ({ failing }: { failing: readonly Watched[] }): JSX.Element => (
  <>
    {failing.slice(0, NOTICES_MAX).map((each) => (
      <FailingNotice key={each.destination.id} {...each} />
    ))}
    {failing.length > NOTICES_MAX ? (
      <Notice tone="bad">
        {formatCount(failing.length - NOTICES_MAX, 'more destination')}{' '}
        {failing.length === NOTICES_MAX + 1 ? 'is' : 'are'} failing.
      </Notice>
    ) : null}
  </>
);

const FailingNotice = ({ destination, health }: Watched): JSX.Element => (
  <Notice tone="bad">
    <div class="row spread">
      <span>
        <strong>{getDestinationName(destination)}</strong> has been failing since{' '}
        <Time at={health.failing_since} exact />. Last response:{' '}
        {health.last_status_code ?? health.last_error?.replaceAll('_', ' ') ?? 'none'}. Nothing is
        lost: {formatNumber(health.waiting)} wait for it.
      </span>
      <LinkButton href={createTenantPath(`/destinations/${destination.id}?tab=deliveries`)}>
        Look into it
      </LinkButton>
    </div>
  </Notice>
);

const COLUMNS: readonly Column<Watched>[] = [
  {
    title: 'Destination',
    cell: ({ destination }) => (
      <a class="cell" href={createTenantPath(`/destinations/${destination.id}`)}>
        {getDestinationName(destination)}
      </a>
    ),
  },
  {
    title: 'Status',
    cell: ({ destination, health }) => (
      <DestinationStatus destination={destination} isFailing={health.health === 'failing'} />
    ),
  },
  {
    title: 'Delivered, 24 h',
    numeric: true,
    cell: ({ health }) => formatNumber(health.last_24_hours.delivered),
  },
  {
    title: 'First try',
    numeric: true,
    cell: ({ health }) => formatFirstTryRate([health]),
  },
  {
    title: 'p95',
    numeric: true,
    cell: ({ health: { last_24_hours: day } }) =>
      day.response_p95_ms === null ? (
        <span class="muted">–</span>
      ) : (
        formatDuration(day.response_p95_ms)
      ),
  },
  {
    title: 'Waiting',
    numeric: true,
    cell: ({ destination, health }) =>
      health.waiting === 0 ? (
        <span class="muted">0</span>
      ) : (
        <a href={createTenantPath(`/destinations/${destination.id}?tab=deliveries&status=pending`)}>
          {formatNumber(health.waiting)}
        </a>
      ),
  },
  { title: 'Oldest waiting', cell: ({ health }) => <Time at={health.oldest_waiting_at} /> },
];

const RunningReplays = ({
  destinations,
}: {
  destinations: readonly Destination[];
}): JSX.Element => {
  const { state, reload } = useLoaded(
    'replays',
    async (signal) => (await readFirstPage(service().replays.list({ limit: 20 }, { signal }))).data,
    REPLAY_POLL_MS,
  );
  return (
    <Card
      title="Replays under way"
      actions={<a href={createTenantPath('/replays')}>All replays</a>}
    >
      <LoadedValue state={state} retry={reload} lines={2}>
        {(replays) => {
          const running = replays.filter(isRunning);
          if (running.length > 0)
            return <ReplayList replays={running} destinations={destinations} />;
          return (
            <div class="row">
              <span class="muted">None runs now.</span>
              {may('replays.create') ? (
                <LinkButton href={createTenantPath('/replays/new')} icon="replays">
                  New replay
                </LinkButton>
              ) : null}
            </div>
          );
        }}
      </LoadedValue>
    </Card>
  );
};

const ReplayList = ({
  replays,
  destinations,
}: {
  replays: readonly Replay[];
  destinations: readonly Destination[];
}): JSX.Element => (
  <ul class="stack">
    {replays.map((replay) => {
      const destination = destinations.find(({ id }) => id === replay.destination_id);
      return (
        <li class="row spread">
          <a href={createTenantPath(`/replays/${replay.replay_id}`)}>
            {formatDate(replay.from)} to {formatDate(replay.to)}
            {destination === undefined ? '' : `, to ${getDestinationName(destination)}`}
          </a>
          <ReplayProgress replay={replay} />
        </li>
      );
    })}
  </ul>
);
