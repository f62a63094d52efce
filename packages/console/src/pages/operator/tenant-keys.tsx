import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callOperator, createPagePath, readAllRows } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { may } from '../../api/session';
import { Button, Card, Copyable, Empty, LoadedValue, Notice, Time } from '../../ui/basics';
import { Confirm, Dialog } from '../../ui/dialog';
import { Form, SelectField, TextField } from '../../ui/form';
import { type Column, Table } from '../../ui/table';
import { showToast } from '../../ui/toast';
import { KeyStatus } from '../team/api-keys';

interface OperatorKey {
  readonly id: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly last4: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

/** The API keys of a tenant. An operator issues and revokes them. */
export const TenantKeys = ({ tenantId }: { tenantId: string }): JSX.Element => {
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<OperatorKey | null>(null);
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
              columns={createColumns(setRevoked)}
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
      {revoked === null ? null : (
        <Confirm
          title="Revoke this key"
          open
          onClose={() => {
            setRevoked(null);
          }}
          typeToConfirm={revoked.name}
          action="Revoke"
          onConfirm={async () => {
            await callOperator(`/tenants/${tenantId}/api-keys/${revoked.id}`, { method: 'DELETE' });
            showToast('The key is revoked.');
            reload();
          }}
        >
          <p>Whatever still uses it is refused at once. Nobody can undo this.</p>
        </Confirm>
      )}
    </Card>
  );
};

const createColumns = (revoke: (key: OperatorKey) => void): readonly Column<OperatorKey>[] => [
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
    cell: (key) => <KeyStatus apiKey={key} />,
  },
  { title: 'Last used', cell: (row) => <Time at={row.last_used_at} none="never" /> },
  { title: 'Ends', cell: (row) => <Time at={row.expires_at} none="never" /> },
  ...(may('operator.apiKeys.revoke')
    ? [
        {
          title: '',
          cell: (key: OperatorKey) =>
            key.revoked_at !== null ? null : (
              <span class="row actions">
                <Button
                  small
                  kind="danger"
                  aria-label={`Revoke ${key.name}`}
                  onClick={() => {
                    revoke(key);
                  }}
                >
                  Revoke …
                </Button>
              </span>
            ),
        },
      ]
    : []),
];

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
    <Dialog title="New API key" open isSecret={key !== null} onClose={onClose}>
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
