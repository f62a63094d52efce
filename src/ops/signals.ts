/**
 * Resolves with the first signal that asks for a stop. Loaded before everything else: a signal that
 * nobody waits for ends the process, and loading and starting take a while.
 */
export const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
  process.on('SIGTERM', resolve);
  process.on('SIGINT', resolve);
});
