import {
  DeleteReq,
  ResetReq,
  ResultReq,
  StateReq,
  UpdateReq,
} from '@eventstore/db-client/generated/projections_pb';
import type { Faults } from '../faults/faults';
import { refuseWhileNotReady, dropUnanswered } from '../faults/group-calls';
import type { Groups } from '../persistent/groups';
import type { SystemProjections } from '../projections/system-projections';
import type { Hub } from '../subscriptions/hub';
import type { Handler, Routes } from '../transport/dispatcher';
import { append, type AppendParts, deleteStream, tombstoneStream } from './append';
import { handleBatchAppend } from './batch-append';
import { consume } from './consume';
import { listSupportedMethods } from './features';
import { readGossip } from './gossip';
import {
  sendUserDetails,
  mergeIndexes,
  type OperationParts,
  refuseCall,
  restartGroupsAsOperator,
  shutDown,
  startScavenge,
  sendStatistics,
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
  sendProjectionStatistics,
  restartProjections,
  refuseUserProjection,
} from './projections';
import { read } from './read';

export interface Services {
  readonly hub: Hub;
  readonly projections: SystemProjections;
  readonly groups: Groups;
  readonly faults: Faults;
  readonly appending: AppendParts;
  readonly operating: OperationParts;
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
    [formatPath('streams.Streams', 'Read'), read(appending.log, hub)],
    [formatPath('streams.Streams', 'Append'), append(appending)],
    [formatPath('streams.Streams', 'BatchAppend'), handleBatchAppend(appending)],
    [formatPath('streams.Streams', 'Delete'), deleteStream(appending.log)],
    [formatPath('streams.Streams', 'Tombstone'), tombstoneStream(appending.log)],
    [formatGroupPath('Create'), dropUnanswered(faults, 'create-unanswered', createGroup(groups))],
    [formatGroupPath('Update'), dropUnanswered(faults, 'update-unanswered', updateGroup(groups))],
    [formatGroupPath('Delete'), dropUnanswered(faults, 'delete-unanswered', deleteGroup(groups))],
    [formatGroupPath('Read'), dropUnanswered(faults, 'connect-unanswered', consume(groups))],
    [formatGroupPath('GetInfo'), refuseWhileNotReady(faults, getGroupInfo(groups))],
    [
      formatGroupPath('ReplayParked'),
      dropUnanswered(faults, 'replay-unanswered', replayParked(groups)),
    ],
    [formatGroupPath('List'), refuseWhileNotReady(faults, listGroups(groups))],
    [formatGroupPath('RestartSubsystem'), restartGroups(groups)],
    [formatProjectionPath('Enable'), enableProjection(projections)],
    [formatProjectionPath('Disable'), disableProjection(projections)],
    [formatProjectionPath('Statistics'), sendProjectionStatistics(projections)],
    [formatProjectionPath('RestartSubsystem'), restartProjections(projections)],
    [formatProjectionPath('Create'), createProjection()],
    [formatProjectionPath('Update'), refuseUserProjection(projections, UpdateReq)],
    [formatProjectionPath('Delete'), refuseUserProjection(projections, DeleteReq)],
    [formatProjectionPath('Reset'), refuseUserProjection(projections, ResetReq)],
    [formatProjectionPath('State'), refuseUserProjection(projections, StateReq)],
    [formatProjectionPath('Result'), refuseUserProjection(projections, ResultReq)],
    [formatPath('server_features.ServerFeatures', 'GetSupportedMethods'), listSupportedMethods()],
    [formatPath('gossip.Gossip', 'Read'), readGossip(operating.node.member)],
    ...listOperatorRoutes(operating),
  ]);

const formatPath = (service: string, method: string): string =>
  `/event_store.client.${service}/${method}`;
const formatGroupPath = (method: string): string =>
  formatPath('persistent_subscriptions.PersistentSubscriptions', method);
const formatProjectionPath = (method: string): string =>
  formatPath('projections.Projections', method);
const formatOperationPath = (method: string): string => formatPath('operations.Operations', method);

const listOperatorRoutes = (operating: OperationParts): readonly (readonly [string, Handler])[] => [
  [formatPath('monitoring.Monitoring', 'Stats'), sendStatistics(operating)],
  [formatOperationPath('StartScavenge'), startScavenge(operating)],
  [formatOperationPath('StopScavenge'), stopScavenge(operating)],
  [formatOperationPath('RestartPersistentSubscriptions'), restartGroupsAsOperator(operating)],
  [formatOperationPath('MergeIndexes'), mergeIndexes(operating)],
  [formatOperationPath('Shutdown'), shutDown(operating)],
  [formatOperationPath('ResignNode'), refuseCall(SINGLE_NODE)],
  [formatOperationPath('SetNodePriority'), refuseCall(SINGLE_NODE)],
  [formatPath('users.Users', 'Details'), sendUserDetails(operating)],
  ...['Create', 'Update', 'Delete', 'Disable', 'Enable', 'ChangePassword', 'ResetPassword'].map(
    (method) => [formatPath('users.Users', method), refuseCall(USERS_FROM_START)] as const,
  ),
];

const SINGLE_NODE =
  'The embedded event store is a single node: it cannot resign, nor be preferred.';
const USERS_FROM_START =
  'The embedded event store has the users it was started with (--user): restart it to change them.';
