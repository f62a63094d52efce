import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { callOperator, createPagePath, readAllRows } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { may } from '../../api/session';
import {
  Button,
  Card,
  Code,
  Copyable,
  Empty,
  Facts,
  Notice,
  Status,
  showExactTime,
  Time,
  LoadedValue,
} from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form, SelectField, TextField } from '../../ui/form';
import { formatMoney, formatNumber } from '../../ui/format';
import { Page } from '../../ui/page';
import { Table } from '../../ui/table';
import { makeDashboardLink, openDashboard } from './open-dashboard';
import { TenantDestinations } from './tenant-destinations';
import { DeleteTenant, Suspension } from './tenant-end';
import type { Tenant } from './tenant-record';

interface OperatorKey {
  readonly id: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly last4: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

/** The page of a tenant for operators: keys, destinations, and links to its dashboard. */
export const TenantPage = (): JSX.Element => {
  const id = useRoute().params['id'] ?? '';
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
                  <Keys tenantId={id} />
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
                      ([name, value]) =>
                        [
                          formatSettingName(name),
                          formatSetting(name, value, String(found.settings['currency'])),
                        ] as const,
                    ),
                  ]}
                />
              </Card>
            </aside>
          </div>
        )}
      </LoadedValue>
    </Page>
  );
};

/** Formats the name of a setting: `grace_days` becomes "Grace days". */
const formatSettingName = (name: string): string =>
  `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

const formatSetting = (name: string, value: unknown, currency: string): string => {
  if (name === 'support_refund_limit' && typeof value === 'number') {
    return formatMoney(value, currency);
  }
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (value === null) return 'no limit';
  return typeof value === 'number' ? formatNumber(value) : String(value);
};

const Keys = ({ tenantId }: { tenantId: string }): JSX.Element => {
  const [isIssuing, setIssuing] = useState(false);
  const { state, reload } = useLoaded(`keys/${tenantId}`, (signal) =>
    readAllRows<OperatorKey>((cursor) =>
      callOperator(createPagePath(`/tenants/${tenantId}/api-keys`, {}, cursor), { signal }),
    ),
  );
  return (
    <Card
      title="API keys"
      flush
      actions={
        may('operator.apiKeys.create') ? (
          <Button
            small
            onClick={() => {
              setIssuing(true);
            }}
          >
            New key
          </Button>
        ) : null
      }
    >
      <LoadedValue state={state} retry={reload}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No key yet">Its team makes keys in its dashboard too.</Empty>
          ) : (
            <Table
              label="API keys"
              rows={data}
              getId={({ id }) => id}
              columns={[
                {
                  title: 'Name',
                  cell: ({ name, last4 }) => (
                    <>
                      <strong>{name}</strong> <code class="muted">…{last4}</code>
                    </>
                  ),
                },
                { title: 'Environment', cell: ({ environment }) => environment },
                {
                  title: 'Status',
                  cell: ({ revoked_at: at }) => (
                    <Status value={at === null ? 'active' : 'revoked'} />
                  ),
                },
                { title: 'Last used', cell: (row) => <Time at={row.last_used_at} /> },
                { title: 'Ends', cell: (row) => <Time at={row.expires_at} /> },
              ]}
            />
          )
        }
      </LoadedValue>
      {isIssuing ? (
        <IssueKeyDialog
          tenantId={tenantId}
          onDone={reload}
          onClose={() => {
            setIssuing(false);
          }}
        />
      ) : null}
    </Card>
  );
};

const IssueKeyDialog = ({
  tenantId,
  onDone,
  onClose,
}: {
  tenantId: string;
  onDone: () => void;
  onClose: () => void;
}): JSX.Element => {
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<'live' | 'test'>('test');
  const [key, setKey] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    const issued = await callOperator<{ key: string }>(`/tenants/${tenantId}/api-keys`, {
      method: 'POST',
      body: { name, environment },
    });
    setKey(issued.key);
    onDone();
  };
  return (
    <Dialog title="New API key" open onClose={onClose}>
      {key === null ? (
        <Form action="Create key" onSubmit={submit} onCancel={onClose}>
          <TextField
            label="Name"
            name="name"
            required
            maxLength={100}
            value={name}
            onValue={setName}
          />
          <SelectField
            label="Environment"
            value={environment}
            onValue={setEnvironment}
            options={[
              ['test', 'Test'],
              ['live', 'Live'],
            ]}
          />
        </Form>
      ) : (
        <>
          <Notice tone="warn">This key is shown once.</Notice>
          <Copyable text={key} label="the key" />
        </>
      )}
    </Dialog>
  );
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
  const [isOpen, setOpen] = useState(false);
  const [role, setRole] = useState<(typeof ROLES)[number][0]>('owner');
  const [url, setUrl] = useState<string | null>(null);
  const { route } = useLocation();
  const submit = async (): Promise<void> => {
    setUrl(await makeDashboardLink(tenant.id, role));
  };
  const openHere = async (): Promise<void> => {
    await openDashboard(tenant.id, role);
    route(`/console/t/${tenant.id}/test`);
  };
  const close = (): void => {
    setOpen(false);
    setUrl(null);
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
      <Dialog title={`Dashboard of ${tenant.name}`} open={isOpen} onClose={close}>
        {url === null ? (
          <>
            <Form action="Open here" onSubmit={openHere} onCancel={close}>
              <p class="muted">
                You stay signed in as an operator. Everything you do there stands in the audit log
                of the tenant.
              </p>
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
