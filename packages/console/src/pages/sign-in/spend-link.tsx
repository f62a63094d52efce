import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { callConsole } from '../../api/console-api';
import { type Session, signIn } from '../../api/session';
import { Notice } from '../../ui/basics';
import { Form } from '../../ui/form';
import { SignInFrame } from './frame';

/**
 * Uses a one-time link. The token is in the fragment, which browsers send to no server. It is used
 * by a click, so that a mail scanner that opens the link does not use it up.
 */
export const SpendLink = (): JSX.Element => {
  const [token] = useState(() => location.hash.slice(1));
  const { route } = useLocation();
  const submit = async (): Promise<void> => {
    signIn(await callConsole<Session>('/session/link', { method: 'POST', body: { token } }));
    route('/console/', true);
  };
  return (
    <SignInFrame title="Open the console" about="This link works once and for a short time.">
      {token === '' ? (
        <Notice tone="bad">The link is not complete. Copy all of it, to its end.</Notice>
      ) : (
        <Form action="Continue" onSubmit={submit}>
          <p class="muted">You will be signed in on this browser.</p>
        </Form>
      )}
    </SignInFrame>
  );
};
