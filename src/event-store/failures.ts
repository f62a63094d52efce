import { describeError } from '../ops/log';
import { GatheredWarnings } from '../ops/gathered-warnings';
import { isUnreachable } from './availability';

/** The same failure of many destinations or subscriptions is one line in this time. */
const GATHER_MS = 10_000;
/** While the store is away one line in this time says so, whoever it is that finds it away. */
const AWAY_EVERY_MS = 60_000;

const failures = new GatheredWarnings(GATHER_MS);
const outages = new GatheredWarnings(AWAY_EVERY_MS);

/**
 * Logs a failure of work that will be tried again. `subject` names the destination, subscription or
 * event it happened to.
 */
export const warnOfFailure = (
  message: string,
  subject: string,
  error: unknown,
  more: object = {},
): void => {
  const line = { ...more, ...describeError(error) };
  if (isUnreachable(error)) outages.warn('the event store cannot be reached', subject, line);
  else failures.warn(message, subject, line);
};
