import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { findHome, sessionState } from '../../api/session';
import { Empty } from '../../ui/basics';
import { SignInFrame } from './frame';

/** Lets a member of several tenants choose one. If there is only one, it is opened at once. */
export const ChooseTenant = (): JSX.Element => {
  const state = sessionState.value;
  const { route } = useLocation();
  const session = state.kind === 'signed-in' ? state.session : null;
  const memberships = session?.memberships ?? [];
  const only = memberships.length === 1 && session?.operator === null ? memberships[0] : undefined;
  const goTo =
    only !== undefined
      ? findHome(only)
      : memberships.length === 0 && session !== null && session.operator !== null
        ? '/console/operator'
        : null;
  useEffect(() => {
    if (goTo !== null) route(goTo, true);
  }, [goTo]);
  return (
    <SignInFrame title="Choose where to go">
      <ul class="stack">
        {memberships.map((each) => (
          <li>
            <a class="choice" href={findHome(each)}>
              <span>
                <strong>{each.tenant.name}</strong>
                <br />
                <span class="muted">{each.role}</span>
              </span>
            </a>
          </li>
        ))}
        {session?.operator === null || session === null ? null : (
          <li>
            <a class="choice" href="/console/operator">
              <span>
                <strong>Operator console</strong>
                <br />
                <span class="muted">All tenants of this installation</span>
              </span>
            </a>
          </li>
        )}
      </ul>
      {memberships.length === 0 && session?.operator === null ? (
        <Empty title="You are not a member of a team">Ask somebody for an invitation link.</Empty>
      ) : null}
    </SignInFrame>
  );
};
