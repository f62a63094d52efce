import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { callTenant, createPageQuery, readAllRows } from '../../api/calls';
import { useLoaded } from '../../api/load';
import { may, membership, sessionState } from '../../api/session';
import {
  Button,
  Card,
  Copyable,
  Empty,
  Notice,
  Time,
  LoadedValue,
  useAction,
} from '../../ui/basics';
import { Confirm, Dialog } from '../../ui/dialog';
import { Form, SelectField, TextField } from '../../ui/form';
import { Table } from '../../ui/table';
import { showToast } from '../../ui/toast';

interface Member {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly role: Role;
  readonly joined_at?: string;
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly expires_at: string;
}

const ROLES = [
  ['owner', 'Owner: everything, also the end of the tenant'],
  ['admin', 'Admin: members, settings and all data'],
  ['developer', 'Developer: destinations, replays, keys, test data'],
  ['support', 'Support: subscribers, subscriptions, tickets'],
  ['analyst', 'Analyst: numbers, without personal data'],
  ['viewer', 'Viewer: reads, without personal data'],
] as const;
type Role = (typeof ROLES)[number][0];

/** The list of members and open invitations. */
export const Members = (): JSX.Element => {
  const [isInviting, setInviting] = useState(false);
  const members = useLoaded('members', (signal) =>
    readAllRows<Member>((cursor) =>
      callTenant(`/members?${createPageQuery({}, cursor)}`, { signal }),
    ),
  );
  const invitations = useLoaded('invitations', (signal) =>
    may('console.invitations.list')
      ? readAllRows<Invitation>((cursor) =>
          callTenant(`/invitations?${createPageQuery({}, cursor)}`, { signal }),
        )
      : Promise.resolve({ data: [] }),
  );
  const isEmpty = members.state.kind === 'ready' && members.state.value.data.length === 0;
  const invite = may('console.invitations.create') ? (
    <Button
      kind="primary"
      icon="plus"
      onClick={() => {
        setInviting(true);
      }}
    >
      Invite
    </Button>
  ) : null;
  return (
    <>
      <Card title="Members" flush actions={isEmpty ? null : invite}>
        <LoadedValue state={members.state} retry={members.reload}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="Nobody has joined yet" action={invite}>
                You are here by a one-time link.{' '}
                {invite === null
                  ? 'Owners and admins invite people.'
                  : 'Invite people by e-mail address; the link that you get can be copied, so no mail server is needed.'}
              </Empty>
            ) : (
              <MemberTable members={data} onDone={members.reload} />
            )
          }
        </LoadedValue>
      </Card>
      <LoadedValue state={invitations.state} retry={invitations.reload} lines={1}>
        {({ data }) =>
          data.length === 0 ? null : (
            <Card title="Invited" flush>
              <InvitationTable invitations={data} onDone={invitations.reload} />
            </Card>
          )
        }
      </LoadedValue>
      {isInviting ? (
        <InviteDialog
          onClose={() => {
            setInviting(false);
          }}
          onDone={invitations.reload}
        />
      ) : null}
    </>
  );
};

const MemberTable = ({
  members,
  onDone,
}: {
  members: readonly Member[];
  onDone: () => void;
}): JSX.Element => {
  const [removed, setRemoved] = useState<Member | null>(null);
  return (
    <>
      <Table
        label="Members"
        rows={members}
        getId={({ id }) => id}
        columns={[
          {
            title: 'Person',
            cell: (member) => (
              <span class="cell">
                <strong>{nameMember(member)}</strong> <span class="muted">{member.email}</span>
              </span>
            ),
          },
          {
            title: 'Role',
            cell: (member) =>
              mayChange(member) ? <RoleChoice member={member} onDone={onDone} /> : member.role,
          },
          { title: 'Joined', cell: (member) => <Time at={member.joined_at} /> },
          {
            title: '',
            cell: (member) =>
              isMe(member) || mayChange(member) ? (
                <Button
                  small
                  kind="danger"
                  aria-label={isMe(member) ? undefined : `Remove ${nameMember(member)}`}
                  onClick={() => {
                    setRemoved(member);
                  }}
                >
                  {isMe(member) ? 'Leave …' : 'Remove …'}
                </Button>
              ) : null,
          },
        ]}
      />
      {removed === null ? null : (
        <Confirm
          title={isMe(removed) ? 'Leave this tenant' : `Remove ${nameMember(removed)}`}
          open
          onClose={() => {
            setRemoved(null);
          }}
          action={isMe(removed) ? 'Leave' : 'Remove'}
          onConfirm={async () => {
            await callTenant(`/members/${removed.id}`, { method: 'DELETE' });
            onDone();
          }}
        >
          <p>
            {isMe(removed) ? 'Your' : 'Their'} sessions end within a second. API keys that{' '}
            {isMe(removed) ? 'you' : 'they'} made go on working.
          </p>
        </Confirm>
      )}
    </>
  );
};

/** Chooses another role for a member, and saves it. */
const RoleChoice = ({ member, onDone }: { member: Member; onDone: () => void }): JSX.Element => {
  const [role, setRole] = useState<string>(member.role);
  const name = nameMember(member);
  const save = useAction(async () => {
    await callTenant(`/members/${member.id}`, { method: 'PATCH', body: { role } });
    showToast(`${name} has the role ${role} now.`);
    onDone();
  });
  return (
    <span class="row tight">
      <select
        class="inline"
        aria-label={`Role of ${name}`}
        value={role}
        onChange={(event) => {
          setRole(event.currentTarget.value);
        }}
      >
        {listRolesToGive(member.role).map((each) => (
          <option value={each}>{each}</option>
        ))}
      </select>
      {role === member.role ? null : (
        <Button small kind="primary" aria-label={`Save the role of ${name}`} onClick={save.run}>
          Save
        </Button>
      )}
    </span>
  );
};

/** True if the role may change and remove the member. Only owners may do this to an owner. */
const mayChange = ({ role }: Member): boolean =>
  may('console.members.update') && (role !== 'owner' || membership.value?.role === 'owner');

/** Returns the roles that a role may give. Only owners may appoint owners. */
const listRolesToGive = (current: Role | null): readonly Role[] =>
  ROLES.map(([role]) => role).filter(
    (role) => role !== 'owner' || current === 'owner' || membership.value?.role === 'owner',
  );

const nameMember = ({ name, email, id }: Member): string => name ?? email ?? id;

const isMe = ({ id }: Member): boolean =>
  sessionState.value.kind === 'signed-in' && sessionState.value.session.person.id === id;

const InvitationTable = ({
  invitations,
  onDone,
}: {
  invitations: readonly Invitation[];
  onDone: () => void;
}): JSX.Element => (
  <Table
    label="Invitations"
    rows={invitations}
    getId={({ id }) => id}
    columns={[
      { title: 'E-mail', cell: ({ email }) => <span class="cell">{email}</span> },
      { title: 'Role', cell: ({ role }) => role },
      { title: 'Ends', cell: (row) => <Time at={row.expires_at} /> },
      { title: '', cell: (row) => <Withdraw invitation={row} onDone={onDone} /> },
    ]}
  />
);

const Withdraw = ({
  invitation,
  onDone,
}: {
  invitation: Invitation;
  onDone: () => void;
}): JSX.Element => {
  const { run } = useAction(async () => {
    await callTenant(`/invitations/${invitation.id}`, { method: 'DELETE' });
    onDone();
  });
  return (
    <Button small onClick={run} aria-label={`Withdraw the invitation of ${invitation.email}`}>
      Withdraw
    </Button>
  );
};

const InviteDialog = ({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: () => void;
}): JSX.Element => {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const [link, setLink] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    const answer = await callTenant<{ link: string }>('/invitations', {
      method: 'POST',
      body: { email, role },
    });
    setLink(answer.link);
    onDone();
  };
  if (link !== null) {
    return (
      <Dialog title="Invitation" open isSecret onClose={onClose}>
        <Notice tone="ok">
          Send this link to {email}. It is shown this once, and it works once.
        </Notice>
        <Copyable text={link} label="the link" />
      </Dialog>
    );
  }
  const given = listRolesToGive(null);
  return (
    <Dialog title="Invite somebody" open onClose={onClose}>
      <Form action="Invite" onSubmit={submit} onCancel={onClose}>
        <TextField
          label="E-mail"
          name="email"
          type="email"
          required
          value={email}
          onValue={setEmail}
        />
        <SelectField
          label="Role"
          value={role}
          onValue={setRole}
          options={ROLES.filter(([each]) => given.includes(each))}
        />
      </Form>
    </Dialog>
  );
};
