import { DeadlineExceededError } from '@eventstore/db-client';
import { NoAnswer, withTimeout } from './availability';
import { warnOfFailure } from './failures';

/** A server that starts or changes its leader drops such calls without any answer. */
const FIRST_LIMIT_MS = 3_000;
const LONGEST_LIMIT_MS = 30_000;

interface AdministrativeCall {
  /** Names the call in the log. */
  readonly name: string;
  /** Makes the call; the client gives it up after the deadline, in milliseconds. */
  readonly call: (options: { readonly deadline: number }) => Promise<unknown>;
  /** Whether an error says that what was asked for is so already. */
  readonly isDone?: (error: unknown) => boolean;
}

/**
 * Makes an administrative call of the event store. One that is not answered in time may have been
 * carried out or not, so it is repeated with a longer limit: its outcome shows in the next answer.
 */
export const administer = async ({
  name,
  call,
  isDone = () => false,
}: AdministrativeCall): Promise<void> => {
  for (let limitMs = FIRST_LIMIT_MS; ; limitMs = Math.min(limitMs * 2, LONGEST_LIMIT_MS)) {
    try {
      await withTimeout(call({ deadline: limitMs }), limitMs);
      return;
    } catch (error) {
      if (isDone(error)) return;
      if (!isUnanswered(error) || limitMs === LONGEST_LIMIT_MS) throw error;
      warnOfFailure('the event store did not answer a call: it is repeated', name, error);
    }
  }
};

const isUnanswered = (error: unknown): boolean =>
  error instanceof NoAnswer || error instanceof DeadlineExceededError;
