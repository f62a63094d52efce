import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callTenant, createPageQuery, readAllRows } from '../../api/calls';
import { callConsole } from '../../api/console-api';
import { type ListPage, useLoaded } from '../../api/load';
import { sessionState } from '../../api/session';
import { Button, Card, Empty, Time, useAction, LoadedValue } from '../../ui/basics';
import { Form, TextField } from '../../ui/form';
import { Table } from '../../ui/table';
import { showToast } from '../../ui/toast';

interface SessionRow {
  readonly id: string;
  readonly person?: { readonly name: string | null; readonly email: string | null } | null;
  readonly created_at: string;
  readonly last_seen_at?: string | null;
  readonly expires_at: string;
  readonly address?: string | null;
  readonly current?: boolean;
  readonly role?: string | null;
  readonly operator?: string | null;
  readonly user_agent?: string | null;
}

/** The calls for the sessions that a caller may see. */
export interface SessionCalls {
  readonly loadPage: (cursor: string | null, signal: AbortSignal) => Promise<ListPage<SessionRow>>;
  /** Null if the caller may not end them. */
  readonly end: ((id: string) => Promise<unknown>) | null;
}

const loadPage: SessionCalls['loadPage'] = (cursor, signal) =>
  callTenant(`/sessions?${createPageQuery({}, cursor)}`, { signal });

const end = (id: string): Promise<unknown> => callTenant(`/sessions/${id}`, { method: 'DELETE' });

/** The sessions of people, and a form to change one's own password. */
export const Sessions = (): JSX.Element => {
  const person = sessionState.value.kind === 'signed-in' ? sessionState.value.session.person : null;
  return (
    <>
      <SessionTable calls={{ loadPage, end }} empty="Nobody of the team is signed in." />
      {person?.email == null ? null : <ChangePassword />}
    </>
  );
};

/** The list of sessions. Each has a button that ends it, if the caller may. */
export const SessionTable = ({
  calls,
  empty,
}: {
  calls: SessionCalls;
  empty: string;
}): JSX.Element => {
  const { state, reload } = useLoaded('sessions', (signal) =>
    readAllRows((cursor) => calls.loadPage(cursor, signal)),
  );
  return (
    <Card title="Signed in" flush>
      <LoadedValue state={state} retry={reload}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No session">{empty}</Empty>
          ) : (
            <Table
              label="Sessions"
              rows={data}
              getId={({ id }) => id}
              columns={[
                {
                  title: 'Person',
                  cell: (row) => (
                    <span class="cell">
                      {row.person?.name ?? row.person?.email ?? 'One-time link'}{' '}
                      {row.current === true ? <span class="tag">this one</span> : null}
                    </span>
                  ),
                },
                {
                  title: 'Role',
                  cell: ({ role, operator }) => (role ?? operator)?.replace('_', ' '),
                },
                {
                  title: 'Browser',
                  cell: ({ user_agent: agent }) => (
                    <span title={agent ?? ''}>{nameBrowser(agent ?? '')}</span>
                  ),
                },
                { title: 'Since', cell: (row) => <Time at={row.created_at} /> },
                { title: 'Last seen', cell: (row) => <Time at={row.last_seen_at} /> },
                { title: 'Ends', cell: (row) => <Time at={row.expires_at} /> },
                { title: 'From', cell: (row) => row.address ?? <span class="muted">–</span> },
                {
                  title: '',
                  cell: ({ id }) =>
                    calls.end === null ? null : (
                      <EndSession id={id} end={calls.end} onDone={reload} />
                    ),
                },
              ]}
            />
          )
        }
      </LoadedValue>
    </Card>
  );
};

/** Returns the browser and the system of a `User-Agent`. Chrome and Edge also name Safari. */
const nameBrowser = (agent: string): string =>
  [/Firefox|Edg|Chrome|Safari/, /Android|iPhone|iPad|Windows|Mac OS|Linux/]
    .map((names) => names.exec(agent)?.[0])
    .filter((name) => name !== undefined)
    .join(', ')
    .replace('Edg', 'Edge') || agent.slice(0, 20);

const EndSession = ({
  id,
  end,
  onDone,
}: {
  id: string;
  end: (id: string) => Promise<unknown>;
  onDone: () => void;
}): JSX.Element => {
  const { run } = useAction(async () => {
    await end(id);
    onDone();
  });
  return (
    <Button small kind="danger" onClick={run}>
      End
    </Button>
  );
};

const ChangePassword = (): JSX.Element => {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const submit = async (): Promise<void> => {
    await callConsole('/password', { method: 'POST', body: { current, new: next } });
    setCurrent('');
    setNext('');
    showToast('The password is changed. Your other sessions have ended.');
  };
  return (
    <Card title="Your password">
      <Form action="Change" onSubmit={submit}>
        <TextField
          label="Current password"
          name="current"
          type="password"
          autocomplete="current-password"
          required
          value={current}
          onValue={setCurrent}
        />
        <TextField
          label="New password"
          name="password"
          type="password"
          autocomplete="new-password"
          required
          minLength={12}
          hint="At least 12 characters."
          value={next}
          onValue={setNext}
        />
      </Form>
    </Card>
  );
};
