import pino from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * The configuration refuses an unknown level together with all other problems, so it is not refused
 * here.
 */
const level = (process.env['LOG_LEVEL'] ?? '').trim();

/** Name of the process; set only if the service runs as several processes. */
export const processName = process.env['SERVICE_PROCESS'];

/**
 * Writes one JSON object per line to standard output. Lines contain ids, counts and codes, never a
 * secret or personal data. Objects are logged field by field, not as a whole.
 */
export const log = pino({
  level: LOG_LEVELS.includes(level) ? level : 'info',
  base: processName === undefined ? null : { process: processName },
  timestamp: pino.stdTimeFunctions.isoTime,
  messageKey: 'message',
  formatters: { level: (label) => ({ level: label }) },
});

/** Returns the parts of an error that are safe to log: its name, its message and its cause. */
export const describeError = (error: unknown): { error: string; cause?: string } => {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return {
    error: String(error),
    ...(cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {}),
  };
};

/**
 * Returns a function that logs a lasting problem at once and then again each time `everyMs` have
 * passed.
 */
export const limitWarnings = (everyMs: number): ((line: object, message: string) => void) => {
  let dueAtMs = -Infinity;
  return (line, message) => {
    const now = performance.now();
    if (now < dueAtMs) return;
    dueAtMs = now + everyMs;
    log.warn(line, message);
  };
};
