import type { JSX } from 'preact';
import { createPageLoader } from '../../api/calls';
import { useList } from '../../api/load';
import { Card, Empty } from '../../ui/basics';
import { Choice } from '../../ui/choice';
import { DateChoice } from '../../ui/date-choice';
import { formatNumber } from '../../ui/format';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { type Column, ListTable } from '../../ui/table';
import type { TenantUsage } from './operator-answers';

type Environment = 'live' | 'test';

const createColumns = (environment: Environment): readonly Column<TenantUsage>[] => [
  {
    title: 'Tenant',
    cell: ({ tenant_id: id, name }) => (
      <a class="cell" href={`/console/operator/tenants/${id}`}>
        {name}
      </a>
    ),
  },
  ...(
    [
      ['subscribers', 'Subscribers'],
      ['active_subscriptions', 'Active subscriptions'],
      ['destinations', 'Destinations'],
      ['events', 'Events'],
      ['deliveries', 'Deliveries'],
    ] as const
  ).map(([name, title]) => ({
    title,
    numeric: true,
    cell: (row: TenantUsage) => formatNumber(row[environment][name]),
  })),
];

/** The usage of each tenant, now and in a window, by which operators bill and plan capacity. */
export const UsagePage = (): JSX.Element => {
  const { query } = useQuery();
  const environment = query['environment'] === 'test' ? 'test' : 'live';
  const window = { from: query['from'], to: query['to'] };
  const list = useList<TenantUsage>({
    key: JSON.stringify(window),
    getId: ({ tenant_id: id }) => id,
    load: createPageLoader<TenantUsage>('/usage', window),
    pollMs: 0,
  });
  return (
    <Page
      title="Usage"
      about="Subscribers, subscriptions and destinations as they are now; events and deliveries of the window. Days are UTC."
      call={{
        method: 'GET',
        path: '/operator/v1/usage',
        sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
      }}
    >
      <div class="filters">
        <Choice name="environment" title="Live" options={[['test', 'Test']]} />
        <DateChoice name="from" title="from" />
        <DateChoice name="to" title="before" />
        {window.from === undefined && window.to === undefined ? (
          <span class="small muted">This month until now</span>
        ) : null}
      </div>
      <Card flush>
        <ListTable
          label="Usage"
          list={list}
          getId={({ tenant_id: id }) => id}
          columns={createColumns(environment)}
          empty={
            <Empty
              title="No tenant yet"
              action={<a href="/console/operator/tenants">Make a tenant</a>}
            >
              What a tenant has, sends and receives is counted here from its first day.
            </Empty>
          }
        />
      </Card>
    </Page>
  );
};
