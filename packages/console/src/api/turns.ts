/** The service computes few metrics of a tenant at once, so a page with many asks for two at a time. */
const AT_ONCE = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs work when its turn comes; what was called off meanwhile is not begun. */
export const inTurn = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
};
