import type { EventStoreDBClient } from '@eventstore/db-client';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { StartScavengeReq } from '@eventstore/db-client/generated/operations_pb';
import type { CallOptions, Metadata } from '@grpc/grpc-js';

const THREADS = 1;

/** What the client's own commands are made of; its declaration hides it from others. */
interface Caller {
  execute<T>(
    service: typeof OperationsClient,
    name: string,
    action: (client: OperationsClient) => Promise<T>,
  ): Promise<T>;
  callArguments(options: object): [Metadata, CallOptions];
}

/**
 * Starts a scavenge on the node that the client is connected to; needs a user of `$admins` or `$ops`.
 * Resolves when it has started. One that is under way already goes on, and that is no error.
 */
export const startRemoteScavenge = (client: EventStoreDBClient): Promise<void> => {
  const caller = client as unknown as Caller;
  const options = new StartScavengeReq.Options();
  options.setThreadCount(THREADS);
  const request = new StartScavengeReq();
  request.setOptions(options);
  return caller.execute(
    OperationsClient,
    'startScavenge',
    (operations) =>
      new Promise((resolve, reject) => {
        operations.startScavenge(request, ...caller.callArguments({}), (error) => {
          if (error === null) resolve();
          else reject(error);
        });
      }),
  );
};
