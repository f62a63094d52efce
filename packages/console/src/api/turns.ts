/**
 * The service computes at most ten metrics of a tenant in a second. This pause leaves some of them
 * to other clients.
 */
const PAUSE_MS = 130;

let queue: Promise<unknown> = Promise.resolve();

/**
 * Runs work in sequence with a pause between two calls. Work whose signal is aborted is not
 * started.
 */
export const runInTurn = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  const turn = queue.then(async () => {
    signal.throwIfAborted();
    return work();
  });
  queue = turn.then(pause, () => null);
  return turn;
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
