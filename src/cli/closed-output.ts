import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';

const STDOUT = 1;

const outputClosed = new AbortController();
let endsInOrder = false;

/**
 * Returns a signal that is aborted when the program that reads the output, such as "head", has
 * closed it. A command that asks for the signal ends by itself; other commands end at once.
 */
export const watchClosedOutput = (): AbortSignal => {
  if (!endsInOrder) {
    endsInOrder = true;
    if (fstatSync(STDOUT).isFIFO()) watchPipe();
  }
  return outputClosed.signal;
};

/** Called after a write has failed because nobody reads the output. */
export const noteClosedOutput = (): void => {
  if (!endsInOrder) process.exit(0);
  outputClosed.abort();
};

/**
 * Lets GNU tail watch the pipe. Node.js notices a closed pipe only when it writes, which a command
 * that waits for events may not do for hours. GNU tail ends with SIGPIPE at once. If another
 * program has this name, or none, the next write notices it.
 */
const watchPipe = (): void => {
  const args = ['-f', '/dev/null', `--pid=${process.pid}`];
  const watcher = spawn('tail', args, { stdio: ['ignore', 'inherit', 'ignore'] });
  watcher.once('error', () => undefined);
  watcher.once('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') outputClosed.abort();
  });
  process.once('exit', () => watcher.kill());
  watcher.unref();
};
