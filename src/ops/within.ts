/**
 * Runs work with a signal that aborts with `signal`, or after `timeoutMs`. Instead of
 * `AbortSignal.any([signal, AbortSignal.timeout(…)])`, whose time-out Node 20 may collect as garbage:
 * then it never strikes.
 */
export const within = async <T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const either = new AbortController();
  const abort = (): void => {
    either.abort(signal.reason);
  };
  const timer = setTimeout(() => {
    either.abort(new DOMException('the time is over', 'TimeoutError'));
  }, timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await work(either.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
};
