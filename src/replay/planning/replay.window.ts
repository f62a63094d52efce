import { DomainError } from '../../kernel/errors';
import { readAnchorDay, computePeriodEnd } from '../../kernel/period';
import { earlier, type Instant, plusMs } from '../../kernel/time';

const MONTHS_MAX = 24;
/**
 * Tolerance for a client that computes "24 months ago" itself: its request arrives a little later.
 */
const CLIENT_DELAY_MS = 60_000;

interface ReplayWindow {
  readonly from: Instant;
  readonly to: Instant;
}

/** Returns the end of the window, at most now (D-100). Throws if the window is empty or too old. */
export const checkWindow = ({ from, to }: ReplayWindow, now: Instant): Instant => {
  const oldest = computePeriodEnd(now, { unit: 'month', count: -MONTHS_MAX }, readAnchorDay(now));
  if (from < plusMs(oldest, -CLIENT_DELAY_MS)) {
    throw createWindowError('from', `from is more than ${MONTHS_MAX} months ago.`);
  }
  if (from > now)
    throw createWindowError(
      'from',
      'from is in the future. Events that a test clock dates later than now cannot be replayed yet.',
    );
  if (to <= from) throw createWindowError('to', 'to must be after from.');
  return earlier(to, now);
};

const createWindowError = (param: string, message: string): DomainError =>
  new DomainError('invalid_replay_window', message, { param });
