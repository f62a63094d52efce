import { freemem, totalmem } from 'node:os';
import type { EventLog } from '../storage/event-log';
import { SERVER_VERSION } from './features';
import type { Member } from './gossip';

/** The facts that tools can ask about the node, over HTTP and partly over gRPC. */
export interface Node {
  readonly log: EventLog;
  readonly member: Member;
}

/** Answers `GET /info`. */
export const describeNode = (): Readonly<Record<string, unknown>> => ({
  esVersion: `${SERVER_VERSION}.0`,
  state: 'leader',
  features: { projections: true, userManagement: false, atomPub: false },
  authentication: { type: 'internal', properties: {} },
});

const NO_EPOCH = '00000000-0000-0000-0000-000000000000';

/**
 * Answers `GET /gossip` with a cluster of one node. The ports of EventStoreDB's old TCP interface
 * are 0, because it does not exist here.
 */
export const describeGossip = ({ log, member }: Node): Readonly<Record<string, unknown>> => {
  const { host, port } = member.endPoint;
  const end = log.end;
  return {
    members: [
      {
        instanceId: member.instanceId,
        timeStamp: new Date().toISOString(),
        state: 'Leader',
        isAlive: true,
        internalTcpIp: host,
        internalTcpPort: 0,
        internalSecureTcpPort: 0,
        externalTcpIp: host,
        externalTcpPort: 0,
        externalSecureTcpPort: 0,
        internalHttpEndPointIp: host,
        internalHttpEndPointPort: port,
        httpEndPointIp: host,
        httpEndPointPort: port,
        lastCommitPosition: end,
        writerCheckpoint: end,
        chaserCheckpoint: end,
        epochPosition: 0,
        epochNumber: 0,
        epochId: NO_EPOCH,
        nodePriority: 0,
        isReadOnlyReplica: false,
        esVersion: SERVER_VERSION,
      },
    ],
    serverIp: host,
    serverPort: port,
  };
};

const MICROSECONDS_PER_PERCENT_SECOND = 10_000;

/** Returns statistics under EventStoreDB's names, as far as this server has them. */
export const measureNode = ({ log }: Node): Readonly<Record<string, string | number>> => {
  const { user, system } = process.cpuUsage();
  const uptimeSeconds = process.uptime();
  return {
    'proc-startTime': new Date(Date.now() - uptimeSeconds * 1_000).toISOString(),
    'proc-id': process.pid,
    'proc-mem': process.memoryUsage.rss(),
    'proc-cpu': (user + system) / MICROSECONDS_PER_PERCENT_SECOND / uptimeSeconds,
    'sys-freeMem': freemem(),
    'sys-totalMem': totalmem(),
    'es-checksum': log.end,
    'es-checksumNonFlushed': log.stagedEnd,
  };
};

/** Answers `GET /stats` with the same numbers as a tree: `proc-mem` is `proc.mem`. */
export const toStatisticsTree = (node: Node): Readonly<Record<string, object>> => {
  const tree: Record<string, Record<string, string | number>> = {};
  for (const [name, value] of Object.entries(measureNode(node))) {
    const dash = name.indexOf('-');
    const branch = (tree[name.slice(0, dash)] ??= {});
    branch[name.slice(dash + 1)] = value;
  }
  return tree;
};
