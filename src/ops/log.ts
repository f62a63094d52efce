import pino from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** A level that is none is the configuration's to refuse, in words, with all else that is wrong. */
const level = (process.env['LOG_LEVEL'] ?? '').trim();

/** Set in each process of a service that runs as several. */
const processName = process.env['SERVICE_PROCESS'];

/**
 * One JSON object per line on standard output. Lines name ids, counts and codes, never a secret or
 * personal data: objects are logged field by field, not whole.
 */
export const log = pino({
  level: LOG_LEVELS.includes(level) ? level : 'info',
  base: processName === undefined ? null : { process: processName },
  timestamp: pino.stdTimeFunctions.isoTime,
  messageKey: 'message',
  formatters: { level: (label) => ({ level: label }) },
});

/** What is safe to log about an error: its name and message, and where it came from. */
export const describeError = (error: unknown): { error: string; cause?: string } => {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return {
    error: String(error),
    ...(cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {}),
  };
};

/** Warns of what goes on for long at once, and again when `everyMs` have passed. */
export const warnSeldom = (everyMs: number): ((line: object, message: string) => void) => {
  let dueAtMs = -Infinity;
  return (line, message) => {
    const now = performance.now();
    if (now < dueAtMs) return;
    dueAtMs = now + everyMs;
    log.warn(line, message);
  };
};
