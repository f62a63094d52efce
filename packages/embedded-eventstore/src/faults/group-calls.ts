import { errors } from '../protocol/rpc-error';
import type { Handler } from '../transport/dispatcher';
import type { FaultName, Faults } from './faults';

/**
 * Wraps a call of the persistent-subscription service with its faults. After a start and after an
 * election EventStoreDB takes such calls before its service runs, and then drops them silently.
 */
export const dropUnanswered =
  (faults: Faults, unanswered: FaultName, handle: Handler): Handler =>
  (call) => {
    const ignored = [faults.strikes('not-ready'), faults.strikes(unanswered)].includes(true);
    if (ignored) {
      call.ignore();
      return;
    }
    if (unanswered !== 'connect-unanswered' && faults.strikes('answer-lost')) call.mute();
    handle(call);
  };

/** Statistics are refused, not dropped, while the service does not run. */
export const refuseWhileNotReady =
  (faults: Faults, handle: Handler): Handler =>
  (call) => {
    if (faults.strikes('not-ready')) call.fail(errors.unavailable('The server is not ready.'));
    else handle(call);
  };
