import type { JSX } from 'preact';
import { operatorPages } from '../../api/calls';
import { type ListState, useList } from '../../api/load';
import { Card, Empty, Status, Time } from '../../ui/basics';
import { Page } from '../../ui/page';
import { type Column, ListTable } from '../../ui/table';
import { CreateTenant } from './create-tenant';
import type { Tenant } from './tenant-record';

export const useTenants = (): ListState<Tenant> =>
  useList<Tenant>({
    key: 'tenants',
    idOf: ({ id }) => id,
    load: operatorPages<Tenant>('/tenants'),
  });

const COLUMNS: readonly Column<Tenant>[] = [
  {
    title: 'Tenant',
    cell: ({ id, name }) => (
      <a class="cell" href={`/console/operator/tenants/${id}`}>
        {name}
      </a>
    ),
  },
  { title: 'Status', cell: ({ status }) => <Status value={status ?? 'active'} /> },
  { title: 'Id', cell: ({ id }) => <code class="muted">{id}</code> },
  { title: 'Currency', cell: ({ settings }) => String(settings['currency'] ?? '') },
  { title: 'Created', cell: (row) => <Time at={row.created_at} /> },
];

export const TenantTable = ({ list }: { list: ListState<Tenant> }): JSX.Element => (
  <ListTable
    label="Tenants"
    list={list}
    idOf={({ id }) => id}
    columns={COLUMNS}
    empty={
      <Empty title="No tenant yet" action={<CreateTenant />}>
        A tenant is a company whose subscribers are kept apart from all others.
      </Empty>
    }
  />
);

export const Tenants = (): JSX.Element => (
  <Page
    title="Tenants"
    about="Companies on this installation, each apart from all others."
    actions={<CreateTenant />}
    call={{
      method: 'GET',
      path: '/operator/v1/tenants',
      sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
    }}
  >
    <Card flush>
      <TenantTable list={useTenants()} />
    </Card>
  </Page>
);
