import type { JSX } from 'preact';
import { createPageLoader } from '../../api/calls';
import { type ListState, useList } from '../../api/load';
import { Card, Empty, Status, Time } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';
import { CreateTenant } from './create-tenant';
import type { Tenant } from './tenant-record';

/** The list of tenants, by status. Without a status, deleted ones are left out. */
export const useTenants = (status?: string): ListState<Tenant> =>
  useList<Tenant>({
    key: `tenants/${status ?? ''}`,
    getId: ({ id }) => id,
    load: createPageLoader<Tenant>('/tenants', { status }),
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
  { title: 'Status', cell: ({ status }) => <Status value={status} /> },
  { title: 'Id', cell: ({ id }) => <code class="muted">{id}</code> },
  { title: 'Currency', cell: ({ settings }) => String(settings['currency'] ?? '') },
  { title: 'Created', cell: (row) => <Time at={row.created_at} /> },
];

export const TenantTable = ({ list }: { list: ListState<Tenant> }): JSX.Element => (
  <ListTable
    label="Tenants"
    list={list}
    getId={({ id }) => id}
    columns={COLUMNS}
    empty={
      <Empty title="No tenant yet" action={<CreateTenant />}>
        A tenant is a company whose subscribers are kept apart from all others.
      </Empty>
    }
  />
);

export const Tenants = (): JSX.Element => {
  const { query } = useQuery();
  const list = useTenants(query['status']);
  return (
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
      <div class="filters">
        <Choice
          name="status"
          title="Active and suspended"
          options={(['active', 'suspended', 'deleted'] as const).map((each) => [each, each])}
        />
      </div>
      <Card flush>
        {query['status'] !== undefined && !list.isLoading && list.rows.length === 0 ? (
          <Empty title={`No tenant is ${query['status']}`}>
            <a href="/console/operator/tenants">Show the others</a>
          </Empty>
        ) : (
          <TenantTable list={list} />
        )}
      </Card>
    </Page>
  );
};
