import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb';
import {
  SupportedMethod,
  SupportedMethods,
} from '@eventstore/db-client/generated/serverfeatures_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import {
  type handleBidiStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
} from '@grpc/grpc-js';

/**
 * The bare echo with which appends are compared: the usual gRPC library, the same messages, the
 * same client, and no work between request and response.
 */
const batchAppend: handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> = (call) => {
  call.on('data', (request: BatchAppendReq) => {
    const success = new BatchAppendResp.Success();
    success.setCurrentRevision('0');
    success.setNoPosition(new Empty());
    const response = new BatchAppendResp();
    response.setCorrelationId(request.getCorrelationId());
    response.setStreamIdentifier(request.getOptions()?.getStreamIdentifier());
    response.setSuccess(success);
    call.write(response);
  });
  call.on('end', () => {
    call.end();
  });
};

const getSupportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_, callback) => {
  const method = new SupportedMethod();
  method.setServiceName('event_store.client.streams.streams');
  method.setMethodName('batchappend');
  const methods = new SupportedMethods();
  methods.setEventStoreServerVersion('24.10.0');
  methods.addMethods(method);
  callback(null, methods);
};

/** Returns the part of a service definition that the client calls. */
const getDefinition = (service: object, ...names: readonly string[]): ServiceDefinition =>
  Object.fromEntries(
    Object.entries(service as ServiceDefinition).filter(([name]) => names.includes(name)),
  );

const server = new Server();
server.addService(getDefinition(StreamsService, 'batchAppend'), { batchAppend });
server.addService(getDefinition(ServerFeaturesService, 'getSupportedMethods'), {
  getSupportedMethods,
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send?.(port);
});
process.on('disconnect', () => process.exit(0));
