/**
 * Resolves with the first signal that asks for a stop. This module is loaded before everything
 * else, because a signal without a listener ends the process, and loading and starting take a
 * while.
 */
export const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
  process.on('SIGTERM', resolve);
  process.on('SIGINT', resolve);
});

/**
 * Waits until the start is finished. If a stop is requested before that, `end` is called, which ends
 * the process at once: a process that is still starting has accepted no work that it must finish.
 */
export const endIfStopped = async <T>(
  stopped: Promise<unknown>,
  starting: Promise<T>,
  end: () => void,
): Promise<T> => {
  let isStarting = true;
  let isEnding = false;
  void stopped.then(() => {
    isEnding = isStarting;
    if (isEnding) end();
  });
  await Promise.allSettled([starting]);
  isStarting = false;
  // The process is about to end, so the caller must not go on.
  if (isEnding) await new Promise(() => undefined);
  return starting;
};
