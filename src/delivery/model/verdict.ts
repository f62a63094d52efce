import { delayMs, type Schedule } from '../../kernel/backoff';

/** A Retry-After beyond this is not waited for (D-61). */
const RETRY_AFTER_MAX_MS = 24 * 3_600_000;
const HONOURS_RETRY_AFTER = new Set([429, 503]);

/** How one HTTP try ended: an answer, or a failure before there was a whole one. */
export interface AttemptResult {
  readonly statusCode: number | null;
  /** Short machine-readable reason where there is no complete answer: `timeout`, `ECONNREFUSED`. */
  readonly error: string | null;
  readonly retryAfter: string | null;
  /** First part of the answer's body. */
  readonly body: string;
  readonly durationMs: number;
  /** A refusal that no retry changes: an SMTP reply of 5xx (D-42). */
  readonly permanent?: boolean;
}

export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  /** 410: the receiver wants nothing more; the destination is to be disabled (D-61). */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed' };

interface Circumstances {
  /** Attempts made, this one included. */
  readonly attempts: number;
  readonly schedule: Schedule;
  readonly nowMs: number;
  /** In [0, 1), for the jitter. */
  readonly chance: number;
}

const GONE = 410;

/** D-61: 2xx is success and nothing else is; the schedule says how long a failure waits. Pure. */
export const judge = (result: AttemptResult, circumstances: Circumstances): Verdict => {
  if (isSuccess(result)) return { kind: 'delivered' };
  if (result.statusCode === GONE && result.error === null) return { kind: 'gone' };
  if (result.permanent === true) return { kind: 'failed' };
  const { attempts, schedule, nowMs, chance } = circumstances;
  const scheduledMs = delayMs(schedule, attempts, chance);
  if (scheduledMs === null) return { kind: 'failed' };
  return { kind: 'retry', afterMs: Math.max(scheduledMs, retryAfterMs(result, nowMs)) };
};

export const isSuccess = ({ statusCode, error }: AttemptResult): boolean =>
  error === null && statusCode !== null && statusCode >= 200 && statusCode < 300;

/** Seconds or an HTTP date (RFC 9110, section 10.2.3). */
const retryAfterMs = ({ statusCode, retryAfter }: AttemptResult, nowMs: number): number => {
  if (statusCode === null || retryAfter === null || !HONOURS_RETRY_AFTER.has(statusCode)) return 0;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : dateMs(retryAfter) - nowMs;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(0, ms), RETRY_AFTER_MAX_MS);
};

/** The three forms of an HTTP date (RFC 9110, section 5.6.7); all of them are in GMT, one does not say so. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Date.parse alone takes anything for a date that ends in a number. */
const dateMs = (text: string): number => {
  if (!HTTP_DATES.some((form) => form.test(text))) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
};
