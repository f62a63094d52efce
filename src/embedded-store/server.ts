import {
  DeleteReq,
  ResetReq,
  ResultReq,
  StateReq,
  UpdateReq,
} from '@eventstore/db-client/generated/projections_pb';
import { randomUUID } from 'node:crypto';
import { Faults, type FaultPlan } from './faults/faults';
import { APPEND_BYTES_MAX } from './limits';
import type { ProjectionName } from './projections/definitions';
import { SystemProjections } from './projections/system-projections';
import { Groups } from './persistent/groups';
import { append, type Appending, deleteStream, tombstoneStream } from './services/append';
import { batchAppend } from './services/batch-append';
import { consume } from './services/consume';
import { supportedMethods } from './services/features';
import { answerHttp } from './services/http';
import { gossip, type Member } from './services/gossip';
import {
  createGroup,
  deleteGroup,
  getGroupInfo,
  listGroups,
  replayParked,
  restartGroups,
  updateGroup,
} from './services/persistent-subscriptions';
import {
  createProjection,
  disableProjection,
  enableProjection,
  projectionStatistics,
  restartProjections,
  userProjectionsOnly,
} from './services/projections';
import { errors } from './protocol/rpc-error';
import { read } from './services/read';
import { EventLog } from './storage/event-log';
import { writeFirstEvents } from './storage/first-events';
import { Hub } from './subscriptions/hub';
import { authenticator, type Users } from './transport/authentication';
import type { Certificate } from './transport/port';
import { GrpcServer, type Routes } from './transport/grpc-server';

export interface ServerOptions {
  readonly dir: string;
  readonly host: string;
  /** 0: any free port */
  readonly port: number;
  /** Enables the default projections in a directory that has not been asked otherwise. */
  readonly projections: boolean;
  readonly tls?: Certificate;
  /** With users, basic authentication is required. */
  readonly users?: Users;
  /** Where clients reach this server, if not at `host`. */
  readonly advertiseHost?: string;
  /** `MaxAppendSize` */
  readonly appendBytesMax?: number;
  readonly commitTimeoutMs?: number;
  readonly faults?: FaultPlan;
}

/** What the service needs. Links of the other projections cost more than they are worth unasked. */
const DEFAULT_PROJECTIONS: readonly ProjectionName[] = ['$by_category'];

export interface Server {
  readonly port: number;
  readonly failed: Promise<Error>;
  /** Resolves when every acknowledged append is on disk and the files are closed. */
  close(): Promise<void>;
}

export const startServer = async (options: ServerOptions): Promise<Server> => {
  const { dir, commitTimeoutMs } = options;
  const log = new EventLog({ dir, commitTimeoutMs });
  const hub = new Hub();
  const faults = new Faults(options.faults);
  const closing = new AbortController();
  const appending = {
    log,
    closing: closing.signal,
    faults,
    appendBytesMax: options.appendBytesMax ?? APPEND_BYTES_MAX,
    breakConnections: () => {
      server.breakConnections();
    },
  };
  const projections = new SystemProjections(log);
  log.onCommitted = (events) => {
    hub.publish(events);
  };
  log.onRolledBack = () => {
    projections.setBack();
  };
  if (log.isEmpty) writeFirstEvents(log);
  projections.start(options.projections ? DEFAULT_PROJECTIONS : []);
  const groups = new Groups({ log, hub, faults });
  const routes = routesOf({
    hub,
    projections,
    groups,
    appending,
    member: { instanceId: randomUUID(), endPoint: () => endPoint },
  });
  const authenticate = authenticator(options.users ?? new Map());
  // The first client finds what a new store begins with.
  await log.flushed();
  const server = await GrpcServer.listen({
    host: options.host,
    port: options.port,
    routes,
    authenticate,
    http: answerHttp(appending, authenticate),
    tls: options.tls,
    intercept: (path) =>
      REFUSED_BY_FOLLOWERS.test(path) && faults.strikes('not-leader')
        ? errors.notLeader(endPoint.host, endPoint.port)
        : undefined,
  });
  const endPoint = { host: options.advertiseHost ?? options.host, port: server.port };
  return {
    port: server.port,
    failed: log.failed,
    close: async () => {
      groups.close();
      closing.abort();
      await server.close();
      projections.close();
      await log.close();
    },
  };
};

interface Services {
  readonly hub: Hub;
  readonly projections: SystemProjections;
  readonly groups: Groups;
  readonly appending: Appending;
  readonly member: Member;
}

const routesOf = ({ hub, projections, groups, appending, member }: Services): Routes =>
  new Map([
    [path('streams.Streams', 'Read'), read(appending.log, hub)],
    [path('streams.Streams', 'Append'), append(appending)],
    [path('streams.Streams', 'BatchAppend'), batchAppend(appending)],
    [path('streams.Streams', 'Delete'), deleteStream(appending.log)],
    [path('streams.Streams', 'Tombstone'), tombstoneStream(appending.log)],
    [groupPath('Create'), createGroup(groups)],
    [groupPath('Update'), updateGroup(groups)],
    [groupPath('Delete'), deleteGroup(groups)],
    [groupPath('Read'), consume(groups)],
    [groupPath('GetInfo'), getGroupInfo(groups)],
    [groupPath('ReplayParked'), replayParked(groups)],
    [groupPath('List'), listGroups(groups)],
    [groupPath('RestartSubsystem'), restartGroups(groups)],
    [projectionPath('Enable'), enableProjection(projections)],
    [projectionPath('Disable'), disableProjection(projections)],
    [projectionPath('Statistics'), projectionStatistics(projections)],
    [projectionPath('RestartSubsystem'), restartProjections(projections)],
    [projectionPath('Create'), createProjection()],
    [projectionPath('Update'), userProjectionsOnly(projections, UpdateReq)],
    [projectionPath('Delete'), userProjectionsOnly(projections, DeleteReq)],
    [projectionPath('Reset'), userProjectionsOnly(projections, ResetReq)],
    [projectionPath('State'), userProjectionsOnly(projections, StateReq)],
    [projectionPath('Result'), userProjectionsOnly(projections, ResultReq)],
    [path('server_features.ServerFeatures', 'GetSupportedMethods'), supportedMethods()],
    [path('gossip.Gossip', 'Read'), gossip(member)],
  ]);

const REFUSED_BY_FOLLOWERS = /\.(Streams|PersistentSubscriptions)\//;

const path = (service: string, method: string): string =>
  `/event_store.client.${service}/${method}`;
const groupPath = (method: string): string =>
  path('persistent_subscriptions.PersistentSubscriptions', method);
const projectionPath = (method: string): string => path('projections.Projections', method);
