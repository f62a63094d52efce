import { StatsReq, type StatsResp } from '@eventstore/db-client/generated/monitoring_pb';
import {
  ScavengeResp,
  SetNodePriorityReq,
  StartScavengeReq,
  StopScavengeReq,
} from '@eventstore/db-client/generated/operations_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';

import { CreateReq, DetailsReq, type DetailsResp } from '@eventstore/db-client/generated/users_pb';

import { status } from '@grpc/grpc-js';
import { callUnary, RawStore, readFirstMessage } from '../support/raw-store';
import { ContractStore, embeddedOnly } from '../support/store-contract';
import { createStoreStarter } from '../support/store-server';
import { until } from '../support/until';

describe('tools and operators', () => {
  let store: ContractStore;
  let raw: RawStore;

  beforeAll(async () => {
    store = await ContractStore.start();
    raw = new RawStore(store.connectionString);
  });
  afterAll(async () => {
    raw.close();
    await store.close();
  });

  describe('answers tools over HTTP', () => {
    const get = (path: string): Promise<Response> => fetch(`${raw.httpAddress}${path}`);

    it('with its liveness', async () => {
      expect((await get('/health/live')).status).toBe(204);
      expect((await get('/health/live?liveCode=200')).status).toBe(200);
    });

    it('with its version and features', async () => {
      expect(await (await get('/info')).json()).toMatchObject({
        esVersion: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
        state: 'leader',
        features: { projections: expect.any(Boolean) as boolean },
      });
    });

    it('with the members of the cluster', async () => {
      const gossip = (await (await get('/gossip')).json()) as { members: object[] };
      expect(gossip).toMatchObject({ serverIp: expect.any(String) as string });
      expect(gossip.members[0]).toMatchObject({
        instanceId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        state: 'Leader',
        isAlive: true,
        httpEndPointPort: Number(new URL(raw.httpAddress).port),
        writerCheckpoint: expect.any(Number) as number,
      });
    });

    it('with statistics', async () => {
      expect(await (await get('/stats')).json()).toMatchObject({
        proc: { id: expect.any(Number) as number, mem: expect.any(Number) as number },
        sys: { freeMem: expect.any(Number) as number },
      });
    });
  });

  it('returns statistics by name', async () => {
    const request = new StatsReq();
    request.setRefreshTimePeriodInMs('60000');
    const stats = await readFirstMessage<StatsResp>(raw.monitoring.stats(request, raw.metadata));
    expect(Number(stats.getStatsMap().get('proc-mem'))).toBeGreaterThan(0);
  });

  describe('calls of operators', () => {
    it('start a scavenge, and cannot stop one that does not run', async () => {
      const request = new StartScavengeReq();
      request.setOptions(new StartScavengeReq.Options());
      const started = await callUnary<ScavengeResp>((done) =>
        raw.operations.startScavenge(request, raw.metadata, done),
      );
      expect(started.getScavengeId()).toMatch(/^[0-9a-f-]{36}$/);
      const { STARTED, INPROGRESS } = ScavengeResp.ScavengeResult;
      expect([STARTED, INPROGRESS]).toContain(started.getScavengeResult());
      const stop = new StopScavengeReq();
      const options = new StopScavengeReq.Options();
      options.setScavengeId('none');
      stop.setOptions(options);
      await expect(
        callUnary((done) => raw.operations.stopScavenge(stop, raw.metadata, done)),
      ).rejects.toMatchObject({ code: status.NOT_FOUND });
    });

    it('merge indexes and restart the persistent subscriptions', async () => {
      const empty = new Empty();
      await callUnary((done) => raw.operations.mergeIndexes(empty, raw.metadata, done));
      await callUnary((done) =>
        raw.operations.restartPersistentSubscriptions(empty, raw.metadata, done),
      );
    });
  });
});

/** Only the embedded server has these rules about administrators and unsupported calls. */
describe('calls for operators of the embedded event store', () => {
  const { start } = createStoreStarter();
  const stores: RawStore[] = [];
  afterEach(() => {
    for (const raw of stores.splice(0)) raw.close();
  });

  const as = (connectionString: string): RawStore => {
    const raw = new RawStore(connectionString);
    stores.push(raw);
    return raw;
  };

  const detailsRequest = (name: string): DetailsReq => {
    const options = new DetailsReq.Options();
    options.setLoginName(name);
    const request = new DetailsReq();
    request.setOptions(options);
    return request;
  };

  embeddedOnly('its users are given at the start')(
    'are for the administrator; users see themselves',
    async () => {
      const server = await start({ args: ['--user', 'admin:root', '--user', 'ada:secret'] });
      const ada = as(server.createConnectionString('ada:secret'));
      const admin = as(server.createConnectionString('admin:root'));
      const denied = { code: status.PERMISSION_DENIED };
      const shutDown = (raw: RawStore): Promise<unknown> =>
        callUnary((done) => raw.operations.shutdown(new Empty(), raw.metadata, done));
      await expect(shutDown(ada)).rejects.toMatchObject(denied);
      const details = (raw: RawStore, name: string): Promise<DetailsResp> =>
        readFirstMessage<DetailsResp>(raw.users.details(detailsRequest(name), raw.metadata));
      expect((await details(ada, 'ada')).getUserDetails()?.getLoginName()).toBe('ada');
      await expect(details(ada, 'admin')).rejects.toMatchObject(denied);
      const everyone = await details(admin, '');
      expect(everyone.getUserDetails()?.getGroupsList()).toEqual(['$admins']);
      const address = `${admin.httpAddress}/admin/scavenge`;
      const headers = { authorization: String(admin.metadata.get('authorization')[0]) };
      const asked = async (which: string) =>
        (await (await fetch(`${address}/${which}`, { headers })).json()) as Record<string, unknown>;
      const scavenge = await fetch(address, { method: 'POST', headers });
      const { scavengeId } = (await scavenge.json()) as { readonly scavengeId: string };
      await until('the scavenge to have ended', async () => {
        const shown = await asked('current');
        return shown['scavengeId'] === '';
      });
      expect(await asked('last')).toEqual({
        scavengeId,
        scavengeLink: `/admin/scavenge/${scavengeId}`,
        scavengeResult: 'Success',
      });
      await shutDown(admin);
      await until('the program to end', () => server.hasEnded);
    },
  );

  embeddedOnly('its users are given at the start')(
    'let the predefined operator run the server, and not see other users',
    async () => {
      const server = await start({ args: ['--user', 'admin:root', '--user', 'ops:pass'] });
      const ops = as(server.createConnectionString('ops:pass'));
      const headers = { authorization: String(ops.metadata.get('authorization')[0]) };
      const scavenge = await fetch(`${ops.httpAddress}/admin/scavenge`, {
        method: 'POST',
        headers,
      });
      expect(scavenge.status).toBe(200);
      await callUnary((done) => ops.operations.mergeIndexes(new Empty(), ops.metadata, done));
      await expect(
        readFirstMessage<DetailsResp>(ops.users.details(detailsRequest('admin'), ops.metadata)),
      ).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
      await callUnary((done) => ops.operations.shutdown(new Empty(), ops.metadata, done));
      await until('the program to end', () => server.hasEnded);
    },
  );

  embeddedOnly('a real server has them')(
    'are refused over HTTP if the server does not support them',
    async () => {
      const server = await start();
      const { httpAddress } = as(server.connectionString);
      for (const path of ['/projections/any', '/subscriptions', '/users', '/admin/shutdown']) {
        const answer = await fetch(`${httpAddress}${path}`);
        expect([answer.status, await answer.json()]).toEqual([
          404,
          { error: expect.stringContaining('everything else is gRPC') as string },
        ]);
      }
    },
  );

  embeddedOnly('its users are given at the start')(
    'name the users of a server that was started without',
    async () => {
      const server = await start();
      const raw = as(server.connectionString);
      const details = async (name: string) => {
        const request = raw.users.details(detailsRequest(name), raw.metadata);
        return (await readFirstMessage<DetailsResp>(request)).getUserDetails()?.toObject();
      };
      expect(await details('admin')).toMatchObject({
        loginName: 'admin',
        fullName: 'Event Store Administrator',
        groupsList: ['$admins'],
      });
      expect(await details('ops')).toMatchObject({
        loginName: 'ops',
        fullName: 'Event Store Operations',
        groupsList: ['$ops'],
      });
    },
  );

  embeddedOnly('a real server has them')(
    'are refused with the reason if the server does not support them',
    async () => {
      const server = await start();
      const raw = as(server.connectionString);
      await expect(
        callUnary((done) => raw.users.create(new CreateReq(), raw.metadata, done)),
      ).rejects.toMatchObject({
        code: status.UNIMPLEMENTED,
        details: expect.stringContaining('--user') as string,
      });
      await expect(
        callUnary((done) =>
          raw.operations.setNodePriority(new SetNodePriorityReq(), raw.metadata, done),
        ),
      ).rejects.toMatchObject({ details: expect.stringContaining('single node') as string });
    },
  );
});
