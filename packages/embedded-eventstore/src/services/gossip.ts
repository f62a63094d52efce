import { ClusterInfo, EndPoint, MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { Empty, UUID } from '@eventstore/db-client/generated/shared_pb';
import { handleUnary, type Handler } from '../transport/dispatcher';

export interface Member {
  readonly instanceId: string;
  readonly endPoint: { readonly host: string; readonly port: number };
}

/** Describes a cluster of one node, which is its own leader. */
export const readGossip = (member: Member): Handler =>
  handleUnary(Empty, () => {
    const { host, port } = member.endPoint;
    const id = new UUID();
    id.setString(member.instanceId);
    const endPoint = new EndPoint();
    endPoint.setAddress(host);
    endPoint.setPort(port);
    const info = new MemberInfo();
    info.setInstanceId(id);
    info.setTimeStamp(String(Date.now()));
    info.setState(MemberInfo.VNodeState.LEADER);
    info.setIsAlive(true);
    info.setHttpEndPoint(endPoint);
    const response = new ClusterInfo();
    response.addMembers(info);
    return response;
  });
