import { DeadlineExceededError } from '@eventstore/db-client';
import { GROWING_WAITS, growWait } from '../kernel/retry-policies';
import { NoAnswer, withTimeout } from './availability';
import { warnOfFailure } from './failures';

/**
 * Time limits of a call. A server that starts or changes its leader drops calls without a response.
 */
const LIMIT = GROWING_WAITS.administrativeCall;

interface AdministrativeCall {
  /** Name of the call in the log. */
  readonly name: string;
  /** Makes the call. The client stops waiting after the deadline, in milliseconds. */
  readonly call: (options: { readonly deadline: number }) => Promise<unknown>;
  /** True if an error says that the requested state already exists. */
  readonly isAlreadyDone?: (error: unknown) => boolean;
}

/**
 * Makes an administrative call to the event store. A call without a response in time may have been
 * carried out or not, so it is repeated with a longer limit. The next response shows whether the
 * first call had an effect.
 */
export const callWithRetry = async ({
  name,
  call,
  isAlreadyDone = () => false,
}: AdministrativeCall): Promise<void> => {
  for (let limitMs: number = LIMIT.firstMs; ; limitMs = growWait(LIMIT, limitMs)) {
    try {
      await withTimeout(call({ deadline: limitMs }), limitMs);
      return;
    } catch (error) {
      if (isAlreadyDone(error)) return;
      if (!isUnanswered(error) || limitMs === LIMIT.longestMs) throw error;
      warnOfFailure('the event store did not answer a call: it is repeated', name, error);
    }
  }
};

const isUnanswered = (error: unknown): boolean =>
  error instanceof NoAnswer || error instanceof DeadlineExceededError;
