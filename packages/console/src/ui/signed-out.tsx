import type { JSX } from 'preact';
import { sessionState } from '../api/session';
import { Notice } from './basics';

/**
 * Says that the session has ended, on a page that stays because of what was typed. It goes as soon
 * as the person comes back from another tab with a new session.
 */
export const SignedOut = (): JSX.Element | null => {
  const state = sessionState.value;
  const isOver = state.kind === 'signed-in' && state.isOver === true;
  if (!isOver) return null;
  return (
    <div class="signed-out" role="status">
      <Notice tone="warn">
        You are signed out. Copy what you need, then{' '}
        <a href="/console/sign-in" target="_blank">
          sign in again
        </a>
        .
      </Notice>
    </div>
  );
};
