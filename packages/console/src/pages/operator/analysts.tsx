import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callOperator } from '../../api/calls';
import { type ListPage, useLoaded } from '../../api/load';
import { may } from '../../api/session';
import { Button, Card, Code, Empty, Notice, LoadedValue } from '../../ui/basics';
import { Dialog } from '../../ui/dialog';
import { Form, TextField } from '../../ui/form';
import { Page } from '../../ui/page';
import { Table } from '../../ui/table';
import type { CreatedAnalyst, KnownAnalyst } from './operator-answers';

/** Database roles that read the schema `analytics`, for tools that speak SQL. */
export const Analysts = (): JSX.Element => {
  const [isAsking, setAsking] = useState(false);
  const { state, reload } = useLoaded('analysts', (signal) =>
    callOperator<ListPage<KnownAnalyst>>('/analysts', { signal }),
  );
  const create = may('operator.analysts.create') ? (
    <Button
      kind="primary"
      icon="plus"
      onClick={() => {
        setAsking(true);
      }}
    >
      New analyst
    </Button>
  ) : null;
  return (
    <Page
      title="Analysts"
      about="Database roles for tools that speak SQL. They read the views of the schema analytics, which hold nothing personal, and nothing else."
      actions={create}
      call={{
        method: 'GET',
        path: '/operator/v1/analysts',
        sdk: "// The operator's API is called over HTTP; the SDK is for tenants.",
      }}
    >
      <Card flush>
        <LoadedValue state={state} retry={reload}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No analyst yet" action={create}>
                A dashboard or a notebook connects with a role of its own. This needs a PostgreSQL
                beside the service (<code>DATABASE_URL</code>); without one, export a view with{' '}
                <code>npm run cli -- export</code>.
              </Empty>
            ) : (
              <Table
                label="Analysts"
                rows={data}
                getId={({ name }) => name}
                columns={[
                  { title: 'Role', cell: ({ name }) => <strong>{name}</strong> },
                  {
                    title: 'Sees',
                    cell: ({ tenant_id: id }) =>
                      id === null ? (
                        'all tenants'
                      ) : (
                        <a href={`/console/operator/tenants/${id}`}>{id}</a>
                      ),
                  },
                ]}
              />
            )
          }
        </LoadedValue>
      </Card>
      {isAsking ? (
        <NewAnalyst
          onDone={reload}
          onClose={() => {
            setAsking(false);
          }}
        />
      ) : null}
    </Page>
  );
};

const NewAnalyst = ({
  onDone,
  onClose,
}: {
  onDone: () => void;
  onClose: () => void;
}): JSX.Element => {
  const [name, setName] = useState('');
  const [tenantId, setTenantId] = useState('');
  const [made, setMade] = useState<CreatedAnalyst | null>(null);
  const submit = async (): Promise<void> => {
    const body = { name, ...(tenantId.trim() === '' ? {} : { tenant_id: tenantId.trim() }) };
    setMade(await callOperator<CreatedAnalyst>('/analysts', { method: 'POST', body }));
    onDone();
  };
  return (
    <Dialog title="New analyst" open isSecret={made !== null} onClose={onClose}>
      {made === null ? (
        <Form action="Create" onSubmit={submit} onCancel={onClose}>
          <TextField
            label="Name of the role"
            name="name"
            required
            maxLength={63}
            placeholder="reports"
            value={name}
            onValue={setName}
            hint="Small letters, digits and underscores. An analyst who exists gets a new password."
          />
          <TextField
            label="Tenant id"
            name="tenant_id"
            value={tenantId}
            onValue={setTenantId}
            hint="Sees this tenant only; left empty, all of them."
          />
        </Form>
      ) : (
        <>
          <Notice tone="warn">The password is shown once.</Notice>
          <Code
            label="Connection"
            text={`postgres://${made.name}:${made.password}@${made.host}:${made.port}/${made.database}`}
          />
        </>
      )}
    </Dialog>
  );
};
