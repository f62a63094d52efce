import type { JSX } from 'preact';
import { callOperator } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { Card, Empty, LoadedValue } from '../../ui/basics';
import { Page } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { Table } from '../../ui/table';
import { createFindHref } from './open-dashboard';
import type { FoundObject } from './operator-answers';
import { useTenantNames } from './tenant-names';

/** Finds objects by id, by address, or by a part of a tenant's name, over all tenants. */
export const OperatorSearch = (): JSX.Element => {
  const { query } = useQuery();
  const findName = useTenantNames();
  const text = (query['q'] ?? '').trim();
  const { state, reload } = useLoaded(`search/${text}`, async (signal) =>
    text === ''
      ? []
      : (
          await callOperator<{ data: readonly FoundObject[] }>(
            `/search?q=${encodeURIComponent(text)}`,
            { signal },
          )
        ).data,
  );
  return (
    <Page
      title={`Search for “${text}”`}
      call={{
        method: 'GET',
        path: `/operator/v1/search?q=${encodeURIComponent(text)}`,
        sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
      }}
    >
      <Card flush>
        <LoadedValue state={state} retry={reload}>
          {(found) =>
            found.length === 0 ? (
              <Empty
                title="No tenant has this"
                action={<a href="/console/operator/tenants">All tenants</a>}
              >
                Take the whole id or e-mail address, or a part of the name of a tenant.
              </Empty>
            ) : (
              <Table
                label="Matches"
                rows={found}
                getId={({ tenant_id: tenant, type, id }) => `${tenant}/${type}/${id}`}
                columns={[
                  {
                    title: 'Tenant',
                    cell: ({ tenant_id: id }) => (
                      <a href={`/console/operator/tenants/${id}`}>{findName(id)}</a>
                    ),
                  },
                  {
                    title: 'Environment',
                    cell: ({ environment }) => environment ?? <span class="muted">–</span>,
                  },
                  { title: 'Kind', cell: ({ type }) => type.replaceAll('_', ' ') },
                  { title: 'Name', cell: (match) => <MatchName match={match} /> },
                  {
                    title: 'Id',
                    cell: ({ id, title }) =>
                      title === id ? null : <code class="muted">{id}</code>,
                  },
                ]}
              />
            )
          }
        </LoadedValue>
      </Card>
    </Page>
  );
};

/** The name of an object, which leads to the object in the dashboard of its tenant. */
const MatchName = ({
  match: { tenant_id: tenant, environment, id, title },
}: {
  match: FoundObject;
}): JSX.Element =>
  environment === null ? (
    <span class="cell">{title}</span>
  ) : (
    <a class="cell" href={createFindHref(tenant, environment, id)}>
      {title}
    </a>
  );
