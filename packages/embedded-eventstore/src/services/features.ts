import {
  SupportedMethod,
  SupportedMethods,
} from '@eventstore/db-client/generated/serverfeatures_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { handleUnary, type Handler } from '../transport/dispatcher';

/** The version that is reported to clients, which enable features by it. */
export const SERVER_VERSION = '24.10.0';

const STREAMS = 'event_store.client.streams.streams';
const GROUPS = 'event_store.client.persistent_subscriptions.persistentsubscriptions';
const PROJECTIONS = 'event_store.client.projections.projections';
const OPERATIONS = 'event_store.client.operations.operations';
const ON_STREAM_AND_ALL = ['stream', 'all'];

/** The methods by their names in lower case, as EventStoreDB reports them. */
const METHODS: readonly (readonly [service: string, method: string, features: string[]])[] = [
  [STREAMS, 'read', []],
  [STREAMS, 'append', []],
  [STREAMS, 'batchappend', []],
  [STREAMS, 'delete', []],
  [STREAMS, 'tombstone', []],
  [GROUPS, 'create', ON_STREAM_AND_ALL],
  [GROUPS, 'update', ON_STREAM_AND_ALL],
  [GROUPS, 'delete', ON_STREAM_AND_ALL],
  [GROUPS, 'read', ON_STREAM_AND_ALL],
  [GROUPS, 'getinfo', ON_STREAM_AND_ALL],
  [GROUPS, 'replayparked', ON_STREAM_AND_ALL],
  [GROUPS, 'list', ON_STREAM_AND_ALL],
  [GROUPS, 'restartsubsystem', []],
  [PROJECTIONS, 'enable', []],
  [PROJECTIONS, 'disable', []],
  [PROJECTIONS, 'statistics', []],
  [PROJECTIONS, 'restartsubsystem', []],
  ['event_store.client.monitoring.monitoring', 'stats', []],
  [OPERATIONS, 'startscavenge', []],
  [OPERATIONS, 'stopscavenge', []],
  [OPERATIONS, 'restartpersistentsubscriptions', []],
  [OPERATIONS, 'mergeindexes', []],
  [OPERATIONS, 'shutdown', []],
  ['event_store.client.users.users', 'details', []],
  ['event_store.client.gossip.gossip', 'read', []],
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods', []],
];

export const listSupportedMethods = (): Handler =>
  handleUnary(Empty, () => {
    const response = new SupportedMethods();
    response.setEventStoreServerVersion(SERVER_VERSION);
    for (const [service, name, features] of METHODS) {
      const method = new SupportedMethod();
      method.setServiceName(service);
      method.setMethodName(name);
      method.setFeaturesList(features);
      response.addMethods(method);
    }
    return response;
  });
