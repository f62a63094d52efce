import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useLastPart } from '../../ui/address';
import { callOperator } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { may } from '../../api/session';
import {
  Button,
  Card,
  Code,
  Copyable,
  Facts,
  Notice,
  Status,
  showExactTime,
  LoadedValue,
} from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form, SelectField } from '../../ui/form';
import { formatNumber } from '../../ui/format';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { makeDashboardLink, openDashboard } from './open-dashboard';
import { TenantDestinations } from './tenant-destinations';
import { Suspended } from '../../ui/suspended';
import { SETTING_NAMES, TRIAL_ENDS } from '../setting-names';
import { TenantKeys } from './tenant-keys';
import { DeleteTenant, Suspension } from './tenant-end';
import type { Tenant } from './tenant-record';

/** The page of a tenant for operators: keys, destinations, and links to its dashboard. */
export const TenantPage = (): JSX.Element => {
  const id = useLastPart();
  const { state, reload } = useLoaded(id, (signal) =>
    callOperator<Tenant>(`/tenants/${id}`, { signal }),
  );
  const tenant = state.kind === 'ready' ? state.value : null;
  return (
    <Page
      title={tenant?.name ?? 'Tenant'}
      crumbs={[['Tenants', '/console/operator/tenants']]}
      badge={
        tenant === null || tenant.status === 'active' ? null : (
          <Status value={tenant.status} tone="warn" />
        )
      }
      actions={
        tenant !== null && tenant.status !== 'deleted' && may('operator.tenants.suspend') ? (
          <>
            <Suspension tenant={tenant} onDone={reload} />
            <DeleteTenant tenant={tenant} onDone={reload} />
            <OpenDashboard tenant={tenant} />
          </>
        ) : null
      }
      call={{
        method: 'GET',
        path: `/operator/v1/tenants/${id}`,
        sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
      }}
    >
      <LoadedValue state={state} retry={reload} lines={8}>
        {(found) => (
          <div class="with-aside">
            <div class="stack wide">
              {found.status === 'deleted' ? (
                <Notice tone="warn">
                  Deleted. Its keys, members and destinations are gone, and its subscribers are
                  erased.
                </Notice>
              ) : (
                <>
                  <Suspended at={found.suspended_at} />
                  <TenantKeys tenantId={id} />
                  <TenantDestinations tenantId={id} />
                </>
              )}
            </div>
            <aside aria-label="Details">
              <Card title="Details">
                <Facts
                  items={[
                    ['Id', <Copyable text={found.id} />],
                    ['Created', showExactTime(found.created_at)],
                    ...Object.entries(found.settings).map(
                      ([name, value]) => [formatSettingName(name), formatSetting(value)] as const,
                    ),
                  ]}
                />
                <p class="small muted">
                  Changed with <code>npm run cli -- tenant set</code>.
                </p>
              </Card>
            </aside>
          </div>
        )}
      </LoadedValue>
    </Page>
  );
};

/** Returns the name of a setting for people: "test clocks at most" for `max_test_clocks`. */
const formatSettingName = (name: string): string =>
  (SETTING_NAMES as Readonly<Record<string, string>>)[name] ??
  name.replace(/^max_(.*)/, '$1_at_most').replaceAll('_', ' ');

const formatSetting = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (value === null) return 'no limit';
  return typeof value === 'number'
    ? formatNumber(value)
    : (TRIAL_ENDS.find(([end]) => end === value)?.[1] ?? String(value));
};

const ROLES = [
  ['owner', 'Owner'],
  ['admin', 'Admin'],
  ['developer', 'Developer'],
  ['support', 'Support'],
  ['analyst', 'Analyst'],
  ['viewer', 'Viewer'],
] as const;

/** Creates a one-time link to the tenant's dashboard, to open here or to send to somebody. */
const OpenDashboard = ({ tenant }: { tenant: Tenant }): JSX.Element => {
  const { query, set } = useQuery();
  /** The id of the object to open. */
  const { find, environment = 'test' } = query;
  const [isOpen, setOpen] = useState(find !== undefined);
  const [role, setRole] = useState<(typeof ROLES)[number][0]>('owner');
  const [url, setUrl] = useState<string | null>(null);
  const { route } = useLocation();
  const submit = async (): Promise<void> => {
    setUrl(await makeDashboardLink(tenant.id, role));
  };
  const openHere = async (): Promise<void> => {
    await openDashboard(tenant.id, role);
    const page = find === undefined ? '' : `/search?q=${encodeURIComponent(find)}`;
    route(`/console/t/${tenant.id}/${environment}${page}`);
  };
  const close = (): void => {
    setOpen(false);
    setUrl(null);
    if (find !== undefined) set({ find: null, environment: null });
  };
  return (
    <>
      <Button
        kind="primary"
        onClick={() => {
          setOpen(true);
        }}
      >
        Open its dashboard …
      </Button>
      <Dialog
        title={`Dashboard of ${tenant.name}`}
        open={isOpen}
        isSecret={url !== null}
        onClose={close}
      >
        {url === null ? (
          <>
            <Form action="Open here" onSubmit={openHere} onCancel={close}>
              <p class="muted">
                You stay signed in as an operator. Everything you do there stands in the audit log
                of the tenant.
              </p>
              {find === undefined ? null : (
                <p>
                  The dashboard opens at <code>{find}</code>.
                </p>
              )}
              <SelectField label="Role" value={role} onValue={setRole} options={ROLES} />
            </Form>
            <p class="small muted">
              For somebody else:{' '}
              <Button small onClick={() => void submit()}>
                Make a link
              </Button>
            </p>
          </>
        ) : (
          <>
            <Notice tone="ok">The link works once and for ten minutes.</Notice>
            <Code label="Link" text={url} />
          </>
        )}
      </Dialog>
    </>
  );
};
