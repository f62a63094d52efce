import { DomainError } from '../../kernel/errors';
import { anchorDayOf, periodEnd } from '../../kernel/period';
import { earlier, type Instant, plusMs } from '../../kernel/time';

const MONTHS_MAX = 24;
/** A client that computes "24 months ago" itself is a little late by the time it arrives. */
const SLACK_MS = 60_000;

interface Window {
  readonly from: Instant;
  readonly to: Instant;
}

/** D-100: the window's end, not after now; throws where the window is none or too old. */
export const effectiveEnd = ({ from, to }: Window, now: Instant): Instant => {
  const oldest = periodEnd(now, { unit: 'month', count: -MONTHS_MAX }, anchorDayOf(now));
  if (from < plusMs(oldest, -SLACK_MS)) {
    throw badWindow('from', `from is more than ${MONTHS_MAX} months ago.`);
  }
  if (from > now) throw badWindow('from', 'from is in the future.');
  if (to <= from) throw badWindow('to', 'to must be after from.');
  return earlier(to, now);
};

const badWindow = (param: string, message: string): DomainError =>
  new DomainError('invalid_replay_window', message, { param });
