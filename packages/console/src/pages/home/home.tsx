import type { Destination, Replay } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { firstPage, service } from '../../api/service';
import { may } from '../../api/session';
import { Card, Empty, LinkButton, Time, When } from '../../ui/basics';
import { formatNumber } from '../../ui/format';
import { Page, tenantPath } from '../../ui/page';
import { Table } from '../../ui/table';
import { DestinationStatus, nameOf } from '../developer/destinations';
import { DeliveryNumbers } from './delivery-numbers';
import { FirstRun } from './first-run';

const POLL_MS = 15_000;

/** Where a tenant's developer begins: what fails first, then how deliveries go. */
export const Home = (): JSX.Element => (
  <Page title="Home">
    {may('destinations:read') ? (
      <Deliveries />
    ) : (
      <Card>
        <Empty title="Welcome">
          Choose a page at the side: it shows what your role works with.
        </Empty>
      </Card>
    )}
  </Page>
);

const Deliveries = (): JSX.Element => {
  // The first steps stay until the reader leaves them: the secret that they show is shown once.
  const isInFirstRun = useRef(false);
  const { state, reload } = useLoaded(
    'home',
    async (signal) => {
      const [destinations, events] = await Promise.all([
        firstPage(service().destinations.list({ limit: 100 }, { signal })),
        may('events:read')
          ? firstPage(service().events.list({ limit: 1 }, { signal }))
          : { data: [] },
      ]);
      return { destinations: destinations.data, hasEvents: events.data.length > 0 };
    },
    POLL_MS,
  );
  return (
    <When state={state} retry={reload} lines={10}>
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
            <DeliveryNumbers destinations={destinations} />
            <DestinationHealth destinations={destinations} />
            {may('replay:read') ? <RunningReplays /> : null}
          </>
        );
      }}
    </When>
  );
};

interface Trouble {
  readonly destination: Destination;
  readonly failed: number;
  readonly waiting: number;
  readonly oldest: string | null;
}

/** As many as are counted; beyond that it says "100+". */
const COUNTED_MAX = 100;

/** Counts what failed and what waits at a destination. */
const troubleOf = async (destination: Destination, signal: AbortSignal): Promise<Trouble> => {
  const [failed, waiting] = await Promise.all(
    (['failed', 'pending'] as const).map((status) =>
      firstPage(
        service().deliveries.list(destination.id, { status, limit: COUNTED_MAX }, { signal }),
      ),
    ),
  );
  const times = (waiting?.data ?? []).map(({ created_at: at }) => at).sort();
  return {
    destination,
    failed: failed?.data.length ?? 0,
    waiting: waiting?.data.length ?? 0,
    oldest: times[0] ?? null,
  };
};

/** Destinations in trouble stand first, those that are switched off before those that fail. */
const byTrouble = (a: Trouble, b: Trouble): number => gravity(b) - gravity(a);

const gravity = ({ destination, failed, waiting }: Trouble): number =>
  (destination.status === 'disabled' ? 1_000_000 : 0) + failed * 1_000 + waiting;

const DestinationHealth = ({
  destinations,
}: {
  destinations: readonly Destination[];
}): JSX.Element => {
  const ids = destinations.map(({ id, status }) => `${id}${status}`).join(',');
  const { state, reload } = useLoaded(
    `trouble/${ids}`,
    async (signal) => {
      const found: Trouble[] = [];
      for (const destination of destinations) found.push(await troubleOf(destination, signal));
      return found.sort(byTrouble);
    },
    POLL_MS,
  );
  return (
    <Card
      title="Destinations"
      flush
      actions={<a href={tenantPath('/destinations')}>All destinations</a>}
    >
      <When state={state} retry={reload}>
        {(rows) => (
          <Table
            label="Destinations by trouble"
            rows={rows}
            idOf={({ destination }) => destination.id}
            columns={[
              {
                title: 'Destination',
                cell: ({ destination }) => (
                  <a class="cell" href={tenantPath(`/destinations/${destination.id}`)}>
                    {nameOf(destination)}
                  </a>
                ),
              },
              {
                title: 'Status',
                cell: ({ destination, failed }) => (
                  <DestinationStatus destination={destination} isFailing={failed > 0} />
                ),
              },
              {
                title: 'Failed',
                numeric: true,
                cell: ({ destination, failed }) => (
                  <Count
                    value={failed}
                    href={`/destinations/${destination.id}?tab=deliveries&status=failed`}
                  />
                ),
              },
              {
                title: 'Waiting',
                numeric: true,
                cell: ({ destination, waiting }) => (
                  <Count
                    value={waiting}
                    href={`/destinations/${destination.id}?tab=deliveries&status=pending`}
                  />
                ),
              },
              { title: 'Oldest waiting', cell: ({ oldest }) => <Time at={oldest} /> },
            ]}
          />
        )}
      </When>
    </Card>
  );
};

const Count = ({ value, href }: { value: number; href: string }): JSX.Element =>
  value === 0 ? (
    <span class="muted">0</span>
  ) : (
    <a href={tenantPath(href)}>{value >= COUNTED_MAX ? `${COUNTED_MAX}+` : value}</a>
  );

const isRunning = ({ status }: Replay): boolean => status === 'queued' || status === 'in_progress';

const RunningReplays = (): JSX.Element => {
  const { state, reload } = useLoaded(
    'replays',
    async (signal) => (await firstPage(service().replays.list({ limit: 20 }, { signal }))).data,
    POLL_MS,
  );
  return (
    <Card title="Replays under way" actions={<a href={tenantPath('/replays')}>All replays</a>}>
      <When state={state} retry={reload} lines={2}>
        {(replays) => {
          const running = replays.filter(isRunning);
          if (running.length > 0) return <ReplayList replays={running} />;
          return (
            <div class="row">
              <span class="muted">None runs now.</span>
              {may('replay:write') ? (
                <LinkButton href={tenantPath('/replays/new')} icon="replays">
                  New replay
                </LinkButton>
              ) : null}
            </div>
          );
        }}
      </When>
    </Card>
  );
};

const ReplayList = ({ replays }: { replays: readonly Replay[] }): JSX.Element => (
  <ul class="stack">
    {replays.map((replay) => {
      const done = replay.events_matched - replay.events_pending;
      return (
        <li class="stack">
          <a href={tenantPath(`/replays/${replay.replay_id}`)}>
            {formatNumber(done)} of {formatNumber(replay.events_matched)}, done{' '}
            <Time at={replay.estimated_completion_at} />
          </a>
          <progress max={Math.max(1, replay.events_matched)} value={done} aria-label="Progress" />
        </li>
      );
    })}
  </ul>
);
