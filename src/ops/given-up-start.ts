/**
 * Ends the process with exit code 0 if it is told to stop before its start is over. Nothing has been
 * accepted until then, and the stores are made for the end of a process at any moment. To finish the
 * start first would take seconds on a busy machine.
 */
export const exitIfStoppedDuring = (
  start: Promise<unknown>,
  stopped: Promise<unknown>,
  say: (what: unknown) => void = () => undefined,
): void => {
  let isOver = false;
  const finish = (): void => {
    isOver = true;
  };
  void start.then(finish, finish);
  void stopped.then((what) => {
    if (isOver) return;
    say(what);
    process.exit(0);
  });
};
