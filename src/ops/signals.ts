/**
 * Resolves with the first signal that asks for a stop. This module is loaded before everything
 * else, because a signal without a listener ends the process, and loading and starting take a
 * while.
 */
export const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
  process.on('SIGTERM', resolve);
  process.on('SIGINT', resolve);
});
