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
 * Waits for a start, and calls `end` if a stop is asked for before it is over. A start has accepted
 * nothing, so there is nothing to finish: the process ends at once, and its data is what it was.
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
  // The process is about to end, whatever has become of the start.
  if (isEnding) await new Promise(() => undefined);
  return starting;
};
