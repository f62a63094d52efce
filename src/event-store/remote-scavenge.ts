import type { EventStoreDBClient } from '@eventstore/db-client';
import { OperationsClient } from '@eventstore/db-client/generated/operations_grpc_pb';
import { StartScavengeReq } from '@eventstore/db-client/generated/operations_pb';
import type { CallOptions, Metadata } from '@grpc/grpc-js';

const SCAVENGE_THREADS = 1;

/** Private functions of the client that its own commands use. */
interface ClientInternals {
  execute<T>(
    service: typeof OperationsClient,
    name: string,
    action: (client: OperationsClient) => Promise<T>,
  ): Promise<T>;
  callArguments(options: object): [Metadata, CallOptions];
}

/**
 * Starts a scavenge on the node to which the client is connected. It needs a user of `$admins` or
 * `$ops` and resolves when the scavenge has started. It is no error if one is already running.
 */
export const startRemoteScavenge = (client: EventStoreDBClient): Promise<void> => {
  const caller = client as unknown as ClientInternals;
  const options = new StartScavengeReq.Options();
  options.setThreadCount(SCAVENGE_THREADS);
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
