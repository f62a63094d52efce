import type { JSX } from 'preact';
import { callOperator, callReadiness } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { mayOperate } from '../../api/session';
import { Button, Card, Facts, Notice, Status, exactTime, useAction, When } from '../../ui/basics';
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
  api_keys: 'API keys',
};

const titleOf = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return CHECK_TITLES[name] ?? text.slice(0, 1).toUpperCase() + text.slice(1);
};

/** What does not answer stands first and in words; what does is only named. */
const Readiness = (): JSX.Element => {
  const { state, reload } = useLoaded('ready', (signal) => callReadiness(signal), POLL_MS);
  return (
    <Card title="Stores and parts">
      <When state={state} retry={reload}>
        {(checks) => {
          const all = Object.entries(checks);
          const broken = all.filter(([, said]) => said !== 'ok');
          const well = all.filter(([, said]) => said === 'ok');
          return (
            <div class="stack">
              <Notice tone={broken.length === 0 ? 'ok' : 'bad'}>
                {broken.length === 0
                  ? `All ${all.length} answer.`
                  : `${broken.length} of ${all.length} do not answer.`}
              </Notice>
              {broken.length === 0 ? null : (
                <Facts
                  items={broken.map(([name, said]) => [
                    titleOf(name),
                    <Status value={said} tone="bad" />,
                  ])}
                />
              )}
              <p class="small muted">{well.map(([name]) => titleOf(name)).join(' · ')}</p>
            </div>
          );
        }}
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
              ['Ended', exactTime(store.finished_at)],
              ['Failure', store.error],
            ]}
          />
        )}
      </When>
    </Card>
  );
};
