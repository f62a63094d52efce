import { GatheredWarnings } from '../ops/gathered-warnings';
import { describeError } from '../ops/log';
import { describeOutage } from './store-outage';

/** The same failure of many destinations or subscriptions is logged as one line in this time. */
const GATHER_MS = 10_000;
/** While a store is unavailable, one line in this time reports it, for all callers together. */
const OUTAGE_LOG_EVERY_MS = 60_000;

const failures = new GatheredWarnings(GATHER_MS);
const outages = new GatheredWarnings(OUTAGE_LOG_EVERY_MS);

type LogFailure = (message: string, subject: string, error: unknown, more?: object) => void;

const logFailure =
  (level: 'warn' | 'error'): LogFailure =>
  (message, subject, error, more = {}) => {
    const line = { ...more, ...describeError(error) };
    const outage = describeOutage(error);
    if (outage === null) failures.warn(message, subject, line, level);
    else outages.warn(outage, subject, line);
  };

/**
 * Logs a failure of work that will be repeated. `subject` is the id or name of the loop,
 * destination, subscription or event concerned. While a store is unavailable, one line a minute
 * reports it for all of them.
 */
export const warnOfFailure = logFailure('warn');

/**
 * Logs a failure of work that will not be repeated by itself, so that an operator should look at
 * it.
 */
export const reportFailure = logFailure('error');
