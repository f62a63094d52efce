import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callTenant, createPageQuery, readAllRows } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { may, place } from '../../api/session';
import { Button, Card, Empty, Status, Time, LoadedValue } from '../../ui/basics';
import { Confirm } from '../../ui/dialog';
import { Page, SESSION_ONLY } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { showToast } from '../../ui/toast';
import { type ApiKey, findOwnEnd, type IssuedKey } from './api-key';
import { NewKeyDialog, RotateKeyDialog, SecretDialog } from './api-key-dialogs';

type Asked =
  | { readonly kind: 'new' }
  | { readonly kind: 'secret'; readonly key: IssuedKey }
  | { readonly kind: 'rotate'; readonly key: ApiKey; readonly end: string }
  | { readonly kind: 'revoke'; readonly key: ApiKey }
  | null;

const isOver = ({
  revoked_at: revokedAt,
  expires_at: expiresAt,
}: Pick<ApiKey, 'revoked_at' | 'expires_at'>): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());

/** The list of API keys: their scopes, allowed addresses and expiry. */
export const ApiKeys = (): JSX.Element => {
  const environment = place.value?.environment ?? 'test';
  const [asked, setAsked] = useState<Asked>(null);
  const { state, reload } = useLoaded(`keys/${environment}`, (signal) =>
    readAllRows<ApiKey>((cursor) =>
      callTenant(`/api_keys?${createPageQuery({ environment }, cursor)}`, { signal }),
    ),
  );
  const close = (): void => {
    setAsked(null);
  };
  const show = (key: IssuedKey): void => {
    setAsked({ kind: 'secret', key });
    reload();
  };
  const create = may('console.apiKeys.create') ? (
    <Button
      kind="primary"
      icon="plus"
      onClick={() => {
        setAsked({ kind: 'new' });
      }}
    >
      New key
    </Button>
  ) : null;
  return (
    <Page
      title="API keys"
      about={`Keys of the ${environment} environment. A key is shown once, when it is made.`}
      actions={create}
      call={{
        method: 'GET',
        path: `/console/v1/api_keys?environment=${environment}`,
        sdk: SESSION_ONLY,
      }}
    >
      <Card flush>
        <LoadedValue state={state} retry={reload}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No key yet" action={create}>
                Your backend calls the API with a key. Give each system its own, with the scopes
                that it needs.
              </Empty>
            ) : (
              <Table
                label="API keys"
                rows={data}
                getId={({ id }) => id}
                columns={createColumns(setAsked, data)}
              />
            )
          }
        </LoadedValue>
      </Card>
      {asked?.kind === 'new' ? <NewKeyDialog onClose={close} onIssued={show} /> : null}
      {asked?.kind === 'secret' ? <SecretDialog issued={asked.key} onClose={close} /> : null}
      {asked?.kind === 'rotate' ? (
        <RotateKeyDialog apiKey={asked.key} end={asked.end} onClose={close} onIssued={show} />
      ) : null}
      {asked?.kind === 'revoke' ? (
        <Confirm
          title="Revoke this key"
          open
          onClose={close}
          typeToConfirm={asked.key.name}
          action="Revoke"
          onConfirm={async () => {
            await callTenant(`/api_keys/${asked.key.id}`, { method: 'DELETE' });
            showToast('The key is revoked.');
            reload();
          }}
        >
          <p>
            Whatever still uses it is refused at once
            {asked.key.last_used_at === null ? null : (
              <>
                ; it was used <Time at={asked.key.last_used_at} />
              </>
            )}
            . Nobody can undo this.
          </p>
        </Confirm>
      ) : null}
    </Page>
  );
};

const createColumns = (
  ask: (asked: Asked) => void,
  keys: readonly ApiKey[],
): readonly Column<ApiKey>[] => [
  {
    title: 'Name',
    cell: ({ name, last4 }) => (
      <>
        <strong class="cell" title={name}>
          {name}
        </strong>
        <code class="muted">…{last4}</code>
      </>
    ),
  },
  { title: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
  {
    title: 'Scopes',
    cell: ({ scopes }) => (
      <span class="cell" title={scopes.join(', ')}>
        {describeScopes(scopes)}
      </span>
    ),
  },
  {
    title: 'From',
    cell: ({ allowed_ips: ips }) => (
      <span class="cell">{ips === null ? 'everywhere' : ips.join(', ')}</span>
    ),
  },
  {
    title: 'Last used',
    cell: (key) => <Time at={key.last_used_at} none="never" />,
  },
  {
    title: 'Ends',
    cell: (key) => <Time at={key.expires_at} none="never" />,
  },
  {
    title: '',
    cell: (key) =>
      isOver(key) || !may('console.apiKeys.rotate') ? null : (
        <span class="row actions">
          <Button
            small
            aria-label={`Rotate ${key.name}`}
            onClick={() => {
              ask({ kind: 'rotate', key, end: findOwnEnd(key, keys) });
            }}
          >
            Rotate …
          </Button>
          <Button
            small
            kind="danger"
            aria-label={`Revoke ${key.name}`}
            onClick={() => {
              ask({ kind: 'revoke', key });
            }}
          >
            Revoke …
          </Button>
        </span>
      ),
  },
];

export const KeyStatus = ({
  apiKey,
}: {
  apiKey: Pick<ApiKey, 'revoked_at' | 'expires_at'>;
}): JSX.Element => {
  if (apiKey.revoked_at !== null) return <Status value="revoked" />;
  return <Status value={isOver(apiKey) ? 'expired' : 'active'} />;
};

const describeScopes = (scopes: readonly string[]): string => {
  if (scopes.every((scope) => scope.endsWith(':read'))) return `read only (${scopes.length})`;
  return scopes.length > 3 ? `${scopes.length} scopes` : scopes.join(', ');
};
