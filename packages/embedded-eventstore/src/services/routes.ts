import {
  DeleteReq,
  ResetReq,
  ResultReq,
  StateReq,
  UpdateReq,
} from '@eventstore/db-client/generated/projections_pb';
import type { Faults } from '../faults/faults';
import { refusedWhileNotReady, unanswerable } from '../faults/group-calls';
import type { Groups } from '../persistent/groups';
import type { SystemProjections } from '../projections/system-projections';
import type { Hub } from '../subscriptions/hub';
import type { Handler, Routes } from '../transport/grpc-server';
import { append, type Appending, deleteStream, tombstoneStream } from './append';
import { batchAppend } from './batch-append';
import { consume } from './consume';
import { supportedMethods } from './features';
import { gossip } from './gossip';
import {
  detailsOfUsers,
  mergeIndexes,
  type Operating,
  refused,
  restartGroupsAsOperator,
  shutDown,
  startScavenge,
  statistics,
  stopScavenge,
} from './operations';
import {
  createGroup,
  deleteGroup,
  getGroupInfo,
  listGroups,
  replayParked,
  restartGroups,
  updateGroup,
} from './persistent-subscriptions';
import {
  createProjection,
  disableProjection,
  enableProjection,
  projectionStatistics,
  restartProjections,
  userProjectionsOnly,
} from './projections';
import { read } from './read';

export interface Services {
  readonly hub: Hub;
  readonly projections: SystemProjections;
  readonly groups: Groups;
  readonly faults: Faults;
  readonly appending: Appending;
  readonly operating: Operating;
}

/** All gRPC methods that this server has, by path. */
export const createRoutes = ({
  hub,
  projections,
  groups,
  faults,
  appending,
  operating,
}: Services): Routes =>
  new Map([
    [path('streams.Streams', 'Read'), read(appending.log, hub)],
    [path('streams.Streams', 'Append'), append(appending)],
    [path('streams.Streams', 'BatchAppend'), batchAppend(appending)],
    [path('streams.Streams', 'Delete'), deleteStream(appending.log)],
    [path('streams.Streams', 'Tombstone'), tombstoneStream(appending.log)],
    [groupPath('Create'), unanswerable(faults, 'create-unanswered', createGroup(groups))],
    [groupPath('Update'), unanswerable(faults, 'update-unanswered', updateGroup(groups))],
    [groupPath('Delete'), unanswerable(faults, 'delete-unanswered', deleteGroup(groups))],
    [groupPath('Read'), unanswerable(faults, 'connect-unanswered', consume(groups))],
    [groupPath('GetInfo'), refusedWhileNotReady(faults, getGroupInfo(groups))],
    [groupPath('ReplayParked'), unanswerable(faults, 'replay-unanswered', replayParked(groups))],
    [groupPath('List'), refusedWhileNotReady(faults, listGroups(groups))],
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
    [path('gossip.Gossip', 'Read'), gossip(operating.node.member)],
    ...operatorRoutes(operating),
  ]);

const path = (service: string, method: string): string =>
  `/event_store.client.${service}/${method}`;
const groupPath = (method: string): string =>
  path('persistent_subscriptions.PersistentSubscriptions', method);
const projectionPath = (method: string): string => path('projections.Projections', method);
const operationPath = (method: string): string => path('operations.Operations', method);

const operatorRoutes = (operating: Operating): readonly (readonly [string, Handler])[] => [
  [path('monitoring.Monitoring', 'Stats'), statistics(operating)],
  [operationPath('StartScavenge'), startScavenge(operating)],
  [operationPath('StopScavenge'), stopScavenge(operating)],
  [operationPath('RestartPersistentSubscriptions'), restartGroupsAsOperator(operating)],
  [operationPath('MergeIndexes'), mergeIndexes(operating)],
  [operationPath('Shutdown'), shutDown(operating)],
  [operationPath('ResignNode'), refused(SINGLE_NODE)],
  [operationPath('SetNodePriority'), refused(SINGLE_NODE)],
  [path('users.Users', 'Details'), detailsOfUsers(operating)],
  ...['Create', 'Update', 'Delete', 'Disable', 'Enable', 'ChangePassword', 'ResetPassword'].map(
    (method) => [path('users.Users', method), refused(USERS_FROM_START)] as const,
  ),
];

const SINGLE_NODE =
  'The embedded event store is a single node: it cannot resign, nor be preferred.';
const USERS_FROM_START =
  'The embedded event store has the users it was started with (--user): restart it to change them.';
