import { StatsReq, StatsResp } from '@eventstore/db-client/generated/monitoring_pb';
import {
  ScavengeResp,
  StartScavengeReq,
  StopScavengeReq,
} from '@eventstore/db-client/generated/operations_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { DetailsReq, DetailsResp } from '@eventstore/db-client/generated/users_pb';
import type { Groups } from '../persistent/groups';
import { createFrame } from '../protocol/framing';
import { errors } from '../protocol/rpc-error';
import type { Scavenger } from '../storage/scavenger';
import { BUILT_IN_USERS, describeUser } from '../storage/users';
import { assertAdministrator, assertOperator, type Users } from '../transport/authentication';
import { handleUnary, type Handler } from '../transport/dispatcher';
import { measureNode, type Node } from './node';

/** The parts of the server that calls of operators use. */
export interface OperationParts {
  readonly node: Node;
  readonly users: Users;
  readonly groups: Groups;
  readonly scavenger: Scavenger;
  /** Ends the program; undefined if the server is a part of another program. */
  readonly shutDown: (() => void) | undefined;
}

const STATISTICS_INTERVAL_MS_MIN = 100;

/**
 * The service method Monitoring.Stats: sends the statistics at once and then after each period that
 * the client requests.
 */
export const sendStatistics =
  ({ node }: OperationParts): Handler =>
  (call) => {
    call.receive((message) => {
      const periodMs = Number(StatsReq.deserializeBinary(message).getRefreshTimePeriodInMs());
      const send = (): void => {
        const response = new StatsResp();
        const map = response.getStatsMap();
        for (const [name, value] of Object.entries(measureNode(node))) {
          map.set(name, String(value));
        }
        call.send(createFrame(response.serializeBinary()));
      };
      send();
      const timer = setInterval(send, Math.max(STATISTICS_INTERVAL_MS_MIN, periodMs));
      call.callWhenClosed(() => {
        clearInterval(timer);
      });
    });
  };

export const startScavenge = ({ users, scavenger }: OperationParts): Handler =>
  handleUnary(StartScavengeReq, (_, call) => {
    assertOperator(users, call.user);
    const { id, wasRunning } = scavenger.scavengeAll();
    const { INPROGRESS, STARTED } = ScavengeResp.ScavengeResult;
    return scavengeResponse(id, wasRunning ? INPROGRESS : STARTED);
  });

export const stopScavenge = ({ users, scavenger }: OperationParts): Handler =>
  handleUnary(StopScavengeReq, (request, call) => {
    assertOperator(users, call.user);
    const id = request.getOptions()?.getScavengeId() ?? '';
    if (!scavenger.stop(id)) throw errors.scavengeNotFound(id);
    return scavengeResponse(id, ScavengeResp.ScavengeResult.STOPPED);
  });

type ScavengeResult = Parameters<ScavengeResp['setScavengeResult']>[0];

const scavengeResponse = (id: string, result: ScavengeResult): ScavengeResp => {
  const response = new ScavengeResp();
  response.setScavengeId(id);
  response.setScavengeResult(result);
  return response;
};

export const restartGroupsAsOperator = ({ users, groups }: OperationParts): Handler =>
  handleUnary(Empty, (_, call) => {
    assertOperator(users, call.user);
    groups.restart();
    return new Empty();
  });

/** Does nothing and succeeds, because there are no index files to merge. */
export const mergeIndexes = ({ users }: OperationParts): Handler =>
  handleUnary(Empty, (_, call) => {
    assertOperator(users, call.user);
    return new Empty();
  });

export const shutDown = ({ users, shutDown: end }: OperationParts): Handler =>
  handleUnary(Empty, (_, call) => {
    assertOperator(users, call.user);
    if (!end) {
      throw errors.unimplemented(
        'This server is a part of another program: stop that program instead.',
      );
    }
    // The response is sent before the program ends.
    setImmediate(end);
    return new Empty();
  });

/**
 * The service method Users.Details: returns one user or all. A user sees itself, an administrator
 * sees all. A server without users lists the two users of each new EventStoreDB, as `$users` does.
 */
export const sendUserDetails =
  ({ users }: OperationParts): Handler =>
  (call) => {
    call.receive((message) => {
      const wanted = DetailsReq.deserializeBinary(message).getOptions()?.getLoginName() ?? '';
      if (wanted === '' || wanted !== call.user) assertAdministrator(users, call.user);
      const known = users.size === 0 ? BUILT_IN_USERS : [...users.keys()];
      for (const name of wanted === '' ? known : [wanted]) {
        if (!known.includes(name)) throw errors.userNotFound(name);
        call.send(createFrame(createDetails(name).serializeBinary()));
      }
      call.end();
    });
  };

const createDetails = (name: string): DetailsResp => {
  const { loginName, fullName, groups } = describeUser(name);
  const details = new DetailsResp.UserDetails();
  details.setLoginName(loginName);
  details.setFullName(fullName);
  details.setGroupsList([...groups]);
  details.setDisabled(false);
  const response = new DetailsResp();
  response.setUserDetails(details);
  return response;
};

/** Refuses a call that this server does not support, with the reason. */
export const refuseCall =
  (reason: string): Handler =>
  () => {
    throw errors.unimplemented(reason);
  };
