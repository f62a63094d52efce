import type { JSX } from 'preact';
import { callOperator, createPagePath, readAllRows } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { Card, Empty, Status, LoadedValue } from '../../ui/basics';
import { Table } from '../../ui/table';
import type { FailingDestination } from './operator-answers';

interface OperatorDestination {
  readonly id: string;
  readonly description: string | null;
  readonly url: string | null;
  readonly email: string | null;
  readonly status: string;
}

/** Loads the ids of the tenant's destinations whose receivers do not answer. */
const useFailing = (tenantId: string): ReadonlySet<string> => {
  const { state } = useLoaded(`failing/${tenantId}`, (signal) =>
    readAllRows<FailingDestination>((cursor) =>
      callOperator(createPagePath('/failing_destinations', { tenant_id: tenantId }, cursor), {
        signal,
      }),
    ),
  );
  const rows = state.kind === 'ready' ? state.value.data : [];
  return new Set(rows.map(({ destination }) => destination.destination_id));
};

/** Shows the destinations of a tenant and marks the failing ones. */
export const TenantDestinations = ({ tenantId }: { tenantId: string }): JSX.Element => {
  const { state, reload } = useLoaded(`destinations/${tenantId}`, (signal) =>
    readAllRows<OperatorDestination>((cursor) =>
      callOperator(createPagePath(`/tenants/${tenantId}/destinations`, {}, cursor), { signal }),
    ),
  );
  const failing = useFailing(tenantId);
  return (
    <Card title="Destinations" flush>
      <LoadedValue state={state} retry={reload}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No destination yet">Its team adds destinations in its dashboard.</Empty>
          ) : (
            <Table
              label="Destinations"
              rows={data}
              getId={({ id }) => id}
              columns={[
                {
                  title: 'Destination',
                  cell: (row) => (
                    <span class="cell">{row.description ?? row.url ?? row.email ?? row.id}</span>
                  ),
                },
                {
                  title: 'Status',
                  cell: ({ id, status }) => (
                    <Status value={status === 'active' && failing.has(id) ? 'failing' : status} />
                  ),
                },
                {
                  title: 'Sends to',
                  cell: (row) => <span class="cell muted">{row.url ?? row.email}</span>,
                },
              ]}
            />
          )
        }
      </LoadedValue>
    </Card>
  );
};
