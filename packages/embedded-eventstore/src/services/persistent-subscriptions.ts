import {
  CreateReq,
  CreateResp,
  DeleteReq,
  DeleteResp,
  GetInfoReq,
  GetInfoResp,
  ListReq,
  ListResp,
  ReplayParkedReq,
  ReplayParkedResp,
  UpdateReq,
  UpdateResp,
} from '@eventstore/db-client/generated/persistent_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import type { Group } from '../persistent/group';
import { ALL } from '../persistent/group-streams';
import type { Groups } from '../persistent/groups';
import { errors } from '../protocol/rpc-error';
import { handleUnary, type Handler } from '../transport/dispatcher';
import { assertStreamName } from './append-validation';
import { describeGroup } from './group-info';
import {
  readChangedKey,
  readCreatedDefinition,
  readGroupKey,
  readSettings,
  readStreamName,
} from './group-requests';

export const createGroup = (groups: Groups): Handler =>
  handleUnary(CreateReq, async (request) => {
    await groups.create(readCreatedDefinition(request.getOptions()));
    return new CreateResp();
  });

export const updateGroup = (groups: Groups): Handler =>
  handleUnary(UpdateReq, async (request) => {
    const options = request.getOptions();
    const key = readChangedKey(options);
    await groups.update(key, readSettings(key, options));
    return new UpdateResp();
  });

export const deleteGroup = (groups: Groups): Handler =>
  handleUnary(DeleteReq, async (request) => {
    await groups.delete(readGroupKey(request.getOptions()));
    return new DeleteResp();
  });

export const getGroupInfo = (groups: Groups): Handler =>
  handleUnary(GetInfoReq, (request) => {
    const response = new GetInfoResp();
    response.setSubscriptionInfo(
      describeGroup(groups.get(readGroupKey(request.getOptions())), Date.now()),
    );
    return response;
  });

export const replayParked = (groups: Groups): Handler =>
  handleUnary(ReplayParkedReq, (request) => {
    const options = request.getOptions();
    const stopAt = options?.hasStopAt() ? Number(options.getStopAt()) : undefined;
    groups.get(readGroupKey(options)).replayParked(stopAt);
    return new ReplayParkedResp();
  });

export const listGroups = (groups: Groups): Handler =>
  handleUnary(ListReq, (request) => {
    const response = new ListResp();
    response.setSubscriptionsList(
      selectGroups(groups, request.getOptions()).map((group) => describeGroup(group, Date.now())),
    );
    return response;
  });

/** Lists the groups. A list of all groups may be empty; a stream without groups is an error. */
const selectGroups = (groups: Groups, options: ListReq.Options | undefined): readonly Group[] => {
  const all = groups.all();
  const wanted = options?.getListForStream();
  if (!wanted) return all;
  const source = wanted.hasAll() ? ALL : readStreamName(wanted.getStream());
  assertStreamName(source);
  const found = all.filter(({ key }) => key.source === source);
  if (found.length === 0) throw errors.groupDoesNotExist({ source, group: '' });
  return found;
};

export const restartGroups = (groups: Groups): Handler =>
  handleUnary(Empty, () => {
    groups.restart();
    return new Empty();
  });
