import { setFlagsFromString } from 'node:v8';

/** A heap may grow to three times what was alive at its last major collection before the next. */
const GROWING_PERCENT = 200;

/**
 * Makes major garbage collections rare, in this thread and all others. At a moderate load V8 lets the
 * heap grow by a quarter between two of them: one every six seconds, 40 ms of the event loop each,
 * were the slowest deliveries. `--max-old-space-size` bounds the heap as before.
 */
export const collectSeldom = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
};
