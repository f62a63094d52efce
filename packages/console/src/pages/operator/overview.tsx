import type { JSX } from 'preact';
import { callOperator, callReadiness } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { mayOperate } from '../../api/session';
import { Button, Card, Facts, Status, Time, useAction, When } from '../../ui/basics';
import { Page } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { CreateTenant } from './create-tenant';
import { FirstTenant } from './first-tenant';
import { TenantTable, useTenants } from './tenants';

const POLL_MS = 5_000;

/** How the installation is doing: its stores, and the tenants on it. */
export const Overview = (): JSX.Element => {
  const tenants = useTenants();
  const isEmpty = !tenants.isLoading && tenants.error === null && tenants.rows.length === 0;
  return (
    <Page
      title="Overview"
      about="All tenants of this installation."
      actions={isEmpty ? null : <CreateTenant />}
    >
      {isEmpty && mayOperate() ? (
        <FirstTenant />
      ) : (
        <Card title="Tenants" flush>
          <TenantTable list={tenants} />
        </Card>
      )}
      <div class="grid-2">
        <Readiness />
        <StoreCard />
      </div>
    </Page>
  );
};

const CHECK_TITLES: Readonly<Record<string, string>> = {
  event_store: 'Event store',
  sql: 'Database of the read models',
  database: 'Database of the read models',
  projections: 'Read models',
  read_models: 'Read models',
};

const Readiness = (): JSX.Element => {
  const { state, reload } = useLoaded('ready', (signal) => callReadiness(signal), POLL_MS);
  return (
    <Card title="Stores">
      <When state={state} retry={reload}>
        {(checks) => (
          <Facts
            items={Object.entries(checks).map(([name, said]) => [
              CHECK_TITLES[name] ?? name.replaceAll('_', ' '),
              <Status value={said} tone={said === 'ok' ? 'ok' : 'bad'} />,
            ])}
          />
        )}
      </When>
    </Card>
  );
};

export interface StoreMaintenance {
  readonly task: 'scavenge' | 'compact' | null;
  readonly status: string;
  readonly percent: number | null;
  readonly events_removed: number | null;
  readonly error: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** The latest maintenance of the event store, and a button for the next. */
const StoreCard = (): JSX.Element => {
  const { state, reload } = useLoaded(
    'store',
    (signal) => callOperator<StoreMaintenance>('/store', { signal }),
    POLL_MS,
  );
  const scavenge = useAction(async () => {
    await callOperator('/store/scavenge', { method: 'POST' });
    showToast('The event store removes what was deleted.');
    reload();
  });
  return (
    <Card
      title="Maintenance of the event store"
      actions={
        mayOperate() ? (
          <Button small onClick={scavenge.run} refusal={scavenge.isRunning ? 'Starting …' : null}>
            Scavenge
          </Button>
        ) : null
      }
    >
      <When state={state} retry={reload}>
        {(store) => (
          <Facts
            items={[
              ['Latest', <Status value={store.status} />],
              ['Task', store.task],
              ['Done', store.percent === null ? null : `${store.percent} %`],
              ['Events removed', store.events_removed],
              ['Ended', <Time at={store.finished_at} exact />],
              ['Failure', store.error],
            ]}
          />
        )}
      </When>
    </Card>
  );
};
