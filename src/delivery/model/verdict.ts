import { computeDelayMs, type Schedule } from '../../kernel/backoff';

/** A longer Retry-After is cut to this (D-61). */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000;
const HONOURS_RETRY_AFTER = new Set([429, 503]);

/** The result of one attempt: a response, or a failure before the response was complete. */
export interface AttemptResult {
  readonly statusCode: number | null;
  /**
   * Short machine-readable reason if there is no complete response, such as `timeout` or
   * `connection_refused`.
   */
  readonly error: string | null;
  readonly retryAfter: string | null;
  /** First part of the response's body. */
  readonly body: string;
  readonly durationMs: number;
  /** True if no retry can change the refusal: an SMTP reply of 5xx (D-42). */
  readonly permanent?: boolean;
}

export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  /**
   * Answer 410: the receiver wants no more events, and the destination is to be disabled (D-61).
   */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed' };

interface AttemptContext {
  /** Number of attempts, including this one. */
  readonly attempts: number;
  readonly schedule: Schedule;
  readonly nowMs: number;
  /** Random number in [0, 1) for the jitter. */
  readonly chance: number;
}

const GONE = 410;

/**
 * Judges an attempt (D-61). Only 2xx is a success. The schedule sets how long a failed delivery
 * waits. Pure.
 */
export const judgeAttempt = (result: AttemptResult, circumstances: AttemptContext): Verdict => {
  if (isSuccess(result)) return { kind: 'delivered' };
  if (result.statusCode === GONE && result.error === null) return { kind: 'gone' };
  if (result.permanent === true) return { kind: 'failed' };
  const { attempts, schedule, nowMs, chance } = circumstances;
  const scheduledMs = computeDelayMs(schedule, attempts, chance);
  if (scheduledMs === null) return { kind: 'failed' };
  return { kind: 'retry', afterMs: Math.max(scheduledMs, readRetryAfterMs(result, nowMs)) };
};

export const isSuccess = ({ statusCode, error }: AttemptResult): boolean =>
  error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Reads the header Retry-After: seconds or an HTTP date (RFC 9110, section 10.2.3). */
const readRetryAfterMs = ({ statusCode, retryAfter }: AttemptResult, nowMs: number): number => {
  if (statusCode === null || retryAfter === null || !HONOURS_RETRY_AFTER.has(statusCode)) return 0;
  const ms = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : parseHttpDateMs(retryAfter) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS);
};

/**
 * The three forms of an HTTP date (RFC 9110, section 5.6.7). All are in GMT, although the last one
 * does not say so.
 */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Parses an HTTP date. Date.parse alone would accept any text that ends in a number. */
const parseHttpDateMs = (text: string): number => {
  if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
};
