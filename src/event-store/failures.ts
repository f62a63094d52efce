import { GatheredWarnings } from '../ops/gathered-warnings';
import { describeError } from '../ops/log';
import { outageOf } from './store-outage';

/** The same failure of many destinations or subscriptions is one line in this time. */
const GATHER_MS = 10_000;
/** While a store is away one line in this time says so, whoever it is that finds it away. */
const AWAY_EVERY_MS = 60_000;

const failures = new GatheredWarnings(GATHER_MS);
const outages = new GatheredWarnings(AWAY_EVERY_MS);

type LogFailure = (message: string, subject: string, error: unknown, more?: object) => void;

const logFailure =
  (level: 'warn' | 'error'): LogFailure =>
  (message, subject, error, more = {}) => {
    const line = { ...more, ...describeError(error) };
    const outage = outageOf(error);
    if (outage === null) failures.warn(message, subject, line, level);
    else outages.warn(outage, subject, line);
  };

/**
 * Logs a failure of work that will be tried again. `subject` names the loop, destination, subscription
 * or event it happened to. A store that is away is one line a minute for all of them.
 */
export const warnOfFailure = logFailure('warn');

/** The same for work that is left out or undone until something else happens: somebody has to look. */
export const reportFailure = logFailure('error');
