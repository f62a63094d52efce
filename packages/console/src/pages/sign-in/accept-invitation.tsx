import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { callConsole } from '../../api/console-api';
import { useLoaded } from '../../api/load';
import { type Session, signIn } from '../../api/session';
import { Waiting } from '../../ui/basics';
import { Form, TextField } from '../../ui/form';
import { SignInFrame } from './frame';

interface Invitation {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly email: string;
  readonly role: string;
  readonly has_account: boolean;
}

const PASSWORD_LENGTH_MIN = 12;

export const AcceptInvitation = (): JSX.Element => {
  const [token] = useState(() => location.hash.slice(1));
  const { state } = useLoaded(token, (signal) =>
    callConsole<Invitation>('/invitations/lookup', { method: 'POST', body: { token }, signal }),
  );
  return (
    <SignInFrame title="Join a team">
      <Waiting state={state} />
      {state.kind === 'ready' ? <JoinForm token={token} invitation={state.value} /> : null}
    </SignInFrame>
  );
};

const JoinForm = ({
  token,
  invitation,
}: {
  token: string;
  invitation: Invitation;
}): JSX.Element => {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { route } = useLocation();
  const submit = async (): Promise<void> => {
    const body = invitation.has_account ? { token, password } : { token, name, password };
    signIn(await callConsole<Session>('/invitations/accept', { method: 'POST', body }));
    route(`/console/t/${invitation.tenant.id}/test`, true);
  };
  return (
    <Form action={`Join ${invitation.tenant.name}`} onSubmit={submit}>
      <p>
        You are invited to <strong>{invitation.tenant.name}</strong> as{' '}
        <strong>{invitation.role}</strong>, with the address <strong>{invitation.email}</strong>.
      </p>
      {invitation.has_account ? null : (
        <TextField label="Your name" autocomplete="name" required value={name} onValue={setName} />
      )}
      <TextField
        label="Password"
        name="password"
        type="password"
        required
        minLength={PASSWORD_LENGTH_MIN}
        autocomplete={invitation.has_account ? 'current-password' : 'new-password'}
        hint={
          invitation.has_account
            ? 'The password of your account.'
            : `At least ${PASSWORD_LENGTH_MIN} characters.`
        }
        value={password}
        onValue={setPassword}
      />
    </Form>
  );
};
