/**
 * Runs work with a signal that aborts with `signal` or after `timeoutMs`. It replaces
 * `AbortSignal.any([signal, AbortSignal.timeout(…)])`, whose timeout Node 20 may collect as garbage
 * so that it never aborts.
 */
export const runWithTimeLimit = async <T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const either = new AbortController();
  const abort = (): void => {
    either.abort(signal.reason);
  };
  const timer = setTimeout(() => {
    either.abort(new DOMException('the time limit has passed', 'TimeoutError'));
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

/** Thrown when work has not ended within its time limit. The work itself goes on. */
export class TimeLimitPassed extends Error {
  override readonly name = 'TimeLimitPassed';
}

/** Rejects with `TimeLimitPassed` if work that cannot be aborted takes longer than `timeoutMs`. */
export const waitWithTimeLimit = async <T>(timeoutMs: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TimeLimitPassed(`not done within ${timeoutMs} ms`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
};
