import type { JSX } from 'preact';
import { Time } from '../../ui/basics';
import { formatTime } from '../../ui/format';

/**
 * Shows the time of the next attempt. A delivery may be due but wait for earlier ones, or for the
 * receiver.
 */
export const NextTry = ({
  at,
  isFailing = false,
}: {
  at: string | null;
  /** True if the receiver does not answer, so that single events try it and all others wait. */
  isFailing?: boolean;
}): JSX.Element =>
  at !== null && Date.parse(at) <= Date.now() ? (
    <span class="muted" title={`since ${formatTime(at)}`}>
      {isFailing ? 'waits for the receiver' : 'due'}
    </span>
  ) : (
    <Time at={at} />
  );
