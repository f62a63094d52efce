import type { JSX } from 'preact';
import { callOperator } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { may } from '../../api/session';
import {
  Button,
  Card,
  Facts,
  LoadedValue,
  showExactTime,
  Status,
  useAction,
  Waiting,
} from '../../ui/basics';
import { Page } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { StartBackup } from './backup';
import { CreateTenant } from './create-tenant';
import { FirstTenant } from './first-tenant';
import { InstallationNumbers, ProblemTenants, Processes, Readiness } from './health-cards';
import type { InstallationOverview } from './operator-answers';
import { TenantTable, useTenants } from './tenants';

const POLL_MS = 5_000;

/** The state of the installation: its stores and its tenants. */
export const Overview = (): JSX.Element => {
  const tenants = useTenants();
  const isEmpty = !tenants.isLoading && tenants.error === null && tenants.rows.length === 0;
  const { state, reload } = useLoaded(
    'overview',
    (signal) => callOperator<InstallationOverview>('/overview', { signal }),
    POLL_MS,
  );
  const found = state.kind === 'ready' ? state.value : null;
  return (
    <Page
      title="Overview"
      about="Tenants in trouble first, then the installation itself."
      call={{
        method: 'GET',
        path: '/operator/v1/overview',
        sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
      }}
      actions={isEmpty ? null : <CreateTenant />}
    >
      <Waiting state={state} retry={reload} lines={4} />
      {found === null ? null : <ProblemTenants tenants={found.problem_tenants} />}
      {found === null || isEmpty ? null : <InstallationNumbers found={found} />}
      {isEmpty && may('operator.tenants.create') ? (
        <FirstTenant />
      ) : (
        <Card title="Tenants" flush>
          <TenantTable list={tenants} />
        </Card>
      )}
      <div class="grid-2">
        {found === null ? null : <Readiness checks={found.checks} />}
        <StoreCard />
      </div>
      {found === null ? null : <Processes processes={found.processes} />}
    </Page>
  );
};

export interface StoreMaintenance {
  readonly task: 'scavenge' | 'compact' | 'backup' | null;
  readonly status: string;
  readonly percent: number | null;
  readonly events_removed: number | null;
  readonly error: string | null;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** The latest backup: the copy of the event store, of the secrets, and the list of both. */
interface Backup {
  readonly status: string;
  readonly directory: string | null;
  readonly error: string | null;
}

/** The latest maintenance of the event store, and a button for the next. */
const StoreCard = (): JSX.Element => {
  const { state, reload } = useLoaded(
    'store',
    async (signal) => {
      const [store, backup] = await Promise.all([
        callOperator<StoreMaintenance>('/store', { signal }),
        callOperator<Backup>('/store/backup', { signal }),
      ]);
      return { store, backup };
    },
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
        may('operator.store.scavenge') ? (
          <>
            <StartBackup onStarted={reload} />
            <Button small onClick={scavenge.run} refusal={scavenge.isRunning ? 'Starting …' : null}>
              Scavenge
            </Button>
          </>
        ) : null
      }
    >
      <LoadedValue state={state} retry={reload}>
        {({ store, backup }) => (
          <Facts
            items={[
              ['Latest', <Status value={store.status} />],
              ['Task', store.task],
              ['Done', store.percent === null ? null : `${store.percent} %`],
              ['Events removed', store.events_removed],
              ['Ended', showExactTime(store.finished_at)],
              ['Failure', store.error],
              ['Backup', backup.directory === null ? null : <Status value={backup.status} />],
              ['Into', backup.directory],
              ['Backup failure', backup.error],
            ]}
          />
        )}
      </LoadedValue>
    </Card>
  );
};
