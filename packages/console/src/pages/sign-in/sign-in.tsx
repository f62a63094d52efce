import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { callConsole } from '../../api/console-api';
import { useLoaded } from '../../api/load';
import { type Session, sessionState, signIn } from '../../api/session';
import { LinkButton, Notice, Waiting } from '../../ui/basics';
import { Form, TextField } from '../../ui/form';
import { useQuery } from '../../ui/query';
import { SignInFrame } from './frame';

interface SignInOptions {
  readonly password: boolean;
  readonly oidc: { readonly name: string } | null;
  /**
   * True for an address with plain HTTP that is not the loopback. The browser would drop the cookie
   * there.
   */
  readonly https_needed: boolean;
}

export const SignIn = (): JSX.Element => {
  const session = sessionState.value;
  const { state, reload } = useLoaded('sign-in', (signal) =>
    callConsole<SignInOptions>('/sign_in_options', { signal }),
  );
  return (
    <SignInFrame title="Sign in">
      {session.kind === 'signed-out' && session.isOver === true ? (
        <Notice tone="warn">Your session has ended. A change of your role ends it too.</Notice>
      ) : null}
      <Waiting state={state} retry={reload} />
      {state.kind === 'ready' ? <Ways options={state.value} /> : null}
    </SignInFrame>
  );
};

/** The reasons why a sign-in by the identity provider was refused, by the code in the address. */
const REFUSALS: Readonly<Record<string, string>> = {
  expired: 'The sign-in took too long, or began in another browser. Try again.',
  failed: 'The identity provider did not confirm the sign-in. Try again.',
  email_not_verified: 'Your identity provider has not verified your e-mail address.',
  domain_not_allowed: 'People with an address of this domain may not sign in here.',
  not_a_member: 'Nobody has invited this address yet. Ask somebody of your team.',
  provider_unavailable: 'The identity provider does not answer. Try again in a minute.',
};

const Ways = ({ options }: { options: SignInOptions }): JSX.Element => {
  const { query } = useQuery();
  const refusal =
    query['error'] === undefined ? undefined : (REFUSALS[query['error']] ?? REFUSALS['failed']);
  if (options.https_needed) {
    return (
      <Notice tone="warn">
        This address is plain HTTP, so your browser would not keep the session. Open the console
        over HTTPS, or on the machine itself at <code>http://127.0.0.1:{location.port || 80}</code>.
      </Notice>
    );
  }
  return (
    <div class="stack wide">
      {refusal === undefined ? null : <Notice tone="bad">{refusal}</Notice>}
      {options.oidc === null ? null : (
        <LinkButton
          href={`/console/v1/oidc/start?return_to=${encodeURIComponent(location.pathname)}`}
        >
          Continue with {options.oidc.name}
        </LinkButton>
      )}
      {options.password ? <PasswordForm /> : null}
      <p class="small muted">
        No account yet? Ask your team for an invitation link. Password forgotten? An operator prints
        a one-time link with <code>npm run cli -- console link</code>.
      </p>
    </div>
  );
};

const PasswordForm = (): JSX.Element => {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const { path, route } = useLocation();
  const submit = async (): Promise<void> => {
    signIn(await callConsole<Session>('/session', { method: 'POST', body: { email, password } }));
    if (path === '/console/sign-in') route('/console/', true);
  };
  return (
    <Form action="Sign in" onSubmit={submit}>
      <TextField
        label="E-mail"
        type="email"
        autocomplete="username"
        required
        value={email}
        onValue={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        required
        value={password}
        onValue={setPassword}
      />
    </Form>
  );
};
