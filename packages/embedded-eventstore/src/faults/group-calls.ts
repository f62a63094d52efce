import { errors } from '../protocol/rpc-error';
import type { Handler } from '../transport/dispatcher';
import type { FaultName, Faults } from './faults';

/**
 * Wraps the handler of a call of the persistent subscriptions service, so that the faults can drop
 * the call or its response. After a start or an election, EventStoreDB accepts such calls before
 * that service runs, and drops them without a response.
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

/**
 * While the service does not run, EventStoreDB refuses requests for statistics and drops no such
 * request.
 */
export const refuseWhileNotReady =
  (faults: Faults, handle: Handler): Handler =>
  (call) => {
    if (faults.strikes('not-ready')) call.fail(errors.unavailable('The server is not ready.'));
    else handle(call);
  };
