/** The service computes at most ten metrics of a tenant in a second; this leaves some to others. */
const PAUSE_MS = 130;

let queue: Promise<unknown> = Promise.resolve();

/** Runs work one after another with a pause between; what was called off meanwhile is not begun. */
export const runInTurn = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  const turn = queue.then(async () => {
    signal.throwIfAborted();
    return work();
  });
  queue = turn.then(pause, () => null);
  return turn;
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
