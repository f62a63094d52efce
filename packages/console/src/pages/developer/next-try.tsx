import type { JSX } from 'preact';
import { Time } from '../../ui/basics';
import { formatTime } from '../../ui/format';

/** The time of the next attempt. A delivery that is due waits for those before it, or for the receiver. */
export const NextTry = ({ at }: { at: string | null }): JSX.Element =>
  at !== null && Date.parse(at) <= Date.now() ? (
    <span class="muted" title={`since ${formatTime(at)}`}>
      due
    </span>
  ) : (
    <Time at={at} />
  );
