import {
  persistentSubscriptionToAllSettingsFromDefaults as allSettings,
  persistentSubscriptionToStreamSettingsFromDefaults as streamSettings,
  START,
} from '@eventstore/db-client';
import { StatsReq, type StatsResp } from '@eventstore/db-client/generated/monitoring_pb';
import {
  ScavengeResp,
  SetNodePriorityReq,
  StartScavengeReq,
  StopScavengeReq,
} from '@eventstore/db-client/generated/operations_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import {
  AppendReq,
  DeleteReq,
  ReadResp,
  TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb';
import { CreateReq, DetailsReq, type DetailsResp } from '@eventstore/db-client/generated/users_pb';
import { randomUUID } from 'node:crypto';
import { status, type Client } from '@grpc/grpc-js';
import {
  batchAppendRequest,
  RawStore,
  readRequest,
  streamIdentifier,
  type StreamRead,
} from '../support/raw-store';
import {
  collect,
  ContractStore,
  embeddedOnly,
  numbered,
  numberedUpTo,
  unique,
} from '../support/store-contract';
import { standaloneStores } from '../support/store-server';
import { until } from '../support/until';

type Callback<Response> = (error: Error | null, response: Response) => void;

/** One unary call as a promise. */
const unary = <Response>(call: (callback: Callback<Response>) => unknown): Promise<Response> =>
  new Promise((resolve, reject) => {
    call((error, response) => {
      if (error) reject(error);
      else resolve(response);
    });
  });

/** The first message of a call that streams, which is then cancelled. */
const firstOf = <Response>(
  call: ReturnType<Client['makeServerStreamRequest']>,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    call.on('error', reject).once('data', (message: Response) => {
      resolve(message);
      call.on('error', () => undefined);
      call.cancel();
    });
  });

/** Clients of other languages rely on these facts. The messages are as they are on the wire. */
describe('the protocol', () => {
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

  describe('names the confirmation of a persistent subscription', () => {
    it('by stream and group', async () => {
      const stream = unique('s-');
      await store.client.createPersistentSubscriptionToStream(stream, 'g', streamSettings());
      expect(await raw.subscriptionIdOf({ stream, name: 'g' })).toBe(`${stream}::g`);
    });

    it('by $all and group', async () => {
      const name = unique('g');
      await store.client.createPersistentSubscriptionToAll(name, allSettings());
      expect(await raw.subscriptionIdOf({ name })).toBe(`$all::${name}`);
    });
  });

  describe('tells a compatible client of a read', () => {
    /** A read as a list: revisions of events, and the positions as `first 3`, `last 2`. */
    const told = async (read: StreamRead): Promise<readonly string[]> =>
      (await raw.read(readRequest(read))).map((message) => {
        switch (message.getContentCase()) {
          case ReadResp.ContentCase.FIRST_STREAM_POSITION:
            return `first ${message.getFirstStreamPosition()}`;
          case ReadResp.ContentCase.LAST_STREAM_POSITION:
            return `last ${message.getLastStreamPosition()}`;
          case ReadResp.ContentCase.STREAM_NOT_FOUND:
            return 'not found';
          default:
            return String(message.getEvent()?.getEvent()?.getStreamRevision());
        }
      });

    let stream: string;
    beforeAll(async () => {
      stream = unique('s-');
      await store.client.appendToStream(stream, numberedUpTo(3));
    });

    const compatibility = 1;

    it('the last revision, forwards and backwards', async () => {
      expect(await told({ stream, count: 10, compatibility })).toEqual(['0', '1', '2', 'last 2']);
      expect(await told({ stream, count: 1, compatibility })).toEqual(['0', 'last 2']);
      const backwards = { stream, from: 2, backwards: true, count: 2, compatibility };
      expect(await told(backwards)).toEqual(['2', '1', 'last 2']);
    });

    it('where the stream goes on, if it starts behind the end', async () => {
      const read = { stream, from: 10, count: 10, compatibility };
      expect(await told(read)).toEqual(['first 3', 'last 2']);
      expect(await told({ ...read, from: 3 })).toEqual(['last 2']);
    });

    it('where the stream begins, if it starts with events that are cut off', async () => {
      const short = unique('s-');
      await store.client.appendToStream(short, numberedUpTo(3));
      await store.client.setStreamMetadata(short, { maxCount: 1 });
      const read = { stream: short, from: 0, compatibility };
      expect(await told({ ...read, count: 1 })).toEqual(['first 2', '2', 'last 2']);
      expect(await told({ ...read, count: 10 })).toEqual(['2', 'last 2']);
    });

    it('nothing of a stream that does not exist', async () => {
      expect(await told({ stream: unique('s-'), count: 1, compatibility })).toEqual(['not found']);
    });

    it('and nothing to any other client', async () => {
      expect(await told({ stream, from: 10, count: 10 })).toEqual([]);
      expect(await told({ stream, count: 10 })).toEqual(['0', '1', '2']);
    });
  });

  describe('of a tombstoned stream', () => {
    const gone = { code: status.FAILED_PRECONDITION };

    const tombstoned = async (): Promise<string> => {
      const stream = unique('s-');
      await store.client.appendToStream(stream, numbered(0));
      await store.client.setStreamMetadata(stream, { maxCount: 5 });
      await store.client.tombstoneStream(stream);
      return stream;
    };

    it('deletes the metadata stream for readers and subscribers, not for writers', async () => {
      const stream = `$$${await tombstoned()}`;
      await expect(raw.read(readRequest({ stream, count: 1 }))).rejects.toMatchObject(gone);
      expect(await raw.subscribe(stream).ended).toMatchObject(gone);
      await store.client.appendToStream(stream, numbered(1));
    });

    it('fails a new subscription without a confirmation', async () => {
      const { ended, messages } = raw.subscribe(await tombstoned());
      expect(await ended).toMatchObject(gone);
      expect(messages).toEqual([]);
    });

    it('sends a live subscription the tombstone before it fails', async () => {
      const stream = unique('s-');
      await store.client.appendToStream(stream, numbered(0));
      const { ended, messages } = raw.subscribe(stream);
      await until('it to be live', () => messages.some((message) => message.hasCaughtUp()));
      await store.client.tombstoneStream(stream);
      expect(await ended).toMatchObject(gone);
      const last = messages.at(-1)?.getEvent()?.getEvent();
      expect(last?.getMetadataMap().get('type')).toBe('$streamDeleted');
      expect(last?.getStreamRevision()).toBe('9223372036854775807');
    });
  });

  describe('refuses an empty stream name as an argument error', () => {
    const refused = { code: status.INVALID_ARGUMENT };
    const noName = streamIdentifier('');
    const OTHER_CODES = 'a real server may answer with another code';

    it('in reads and subscriptions', async () => {
      for (const read of [{ stream: '', count: 1 }, { stream: '' }]) {
        await expect(raw.read(readRequest(read))).rejects.toMatchObject(refused);
      }
      await expect(raw.subscriptionIdOf({ stream: '', name: 'g' })).rejects.toMatchObject(refused);
    });

    embeddedOnly(OTHER_CODES)('in appends, inside the answer of a batch append', async () => {
      const append = { stream: '', correlationId: randomUUID(), eventId: randomUUID() };
      const answer = await raw.appendInBatch(batchAppendRequest(append));
      expect(answer.getError()?.getCode()).toBe(status.INVALID_ARGUMENT);
      const options = new AppendReq.Options();
      options.setStreamIdentifier(noName);
      options.setAny(new Empty());
      const request = new AppendReq();
      request.setOptions(options);
      await expect(
        unary((done) => {
          const call = raw.streams.append(raw.metadata, done);
          call.write(request);
          call.end();
        }),
      ).rejects.toMatchObject(refused);
    });

    embeddedOnly(OTHER_CODES)('in deletions', async () => {
      const deletion = new DeleteReq.Options();
      deletion.setStreamIdentifier(noName);
      deletion.setAny(new Empty());
      const deleted = new DeleteReq();
      deleted.setOptions(deletion);
      await expect(
        unary((done) => raw.streams.delete(deleted, raw.metadata, done)),
      ).rejects.toMatchObject(refused);
      const tombstone = new TombstoneReq.Options();
      tombstone.setStreamIdentifier(noName);
      tombstone.setAny(new Empty());
      const tombstoned = new TombstoneReq();
      tombstoned.setOptions(tombstone);
      await expect(
        unary((done) => raw.streams.tombstone(tombstoned, raw.metadata, done)),
      ).rejects.toMatchObject(refused);
    });
  });

  it('lists the users, one event for each', async () => {
    const users = await collect(store.client.readStream('$users', { fromRevision: START }));
    const names = users.map(({ event }) => Buffer.from(event?.data as Uint8Array).toString());
    expect(users.map(({ event }) => event?.type)).toEqual(users.map(() => '$User'));
    expect(names).toEqual(expect.arrayContaining(['admin', 'ops']));
  });

  describe('answers tools in HTTP', () => {
    const get = (path: string): Promise<Response> => fetch(`${raw.httpAddress}${path}`);

    it('that it lives', async () => {
      expect((await get('/health/live')).status).toBe(204);
      expect((await get('/health/live?liveCode=200')).status).toBe(200);
    });

    it('what it is', async () => {
      expect(await (await get('/info')).json()).toMatchObject({
        esVersion: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
        state: 'leader',
        features: { projections: expect.any(Boolean) as boolean },
      });
    });

    it('who belongs to the cluster', async () => {
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

    it('how it does', async () => {
      expect(await (await get('/stats')).json()).toMatchObject({
        proc: { id: expect.any(Number) as number, mem: expect.any(Number) as number },
        sys: { freeMem: expect.any(Number) as number },
      });
    });
  });

  it('tells statistics by name', async () => {
    const request = new StatsReq();
    request.setRefreshTimePeriodInMs('60000');
    const stats = await firstOf<StatsResp>(raw.monitoring.stats(request, raw.metadata));
    expect(Number(stats.getStatsMap().get('proc-mem'))).toBeGreaterThan(0);
  });

  describe('for operators', () => {
    it('starts a scavenge, and stops none that does not run', async () => {
      const request = new StartScavengeReq();
      request.setOptions(new StartScavengeReq.Options());
      const started = await unary<ScavengeResp>((done) =>
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
        unary((done) => raw.operations.stopScavenge(stop, raw.metadata, done)),
      ).rejects.toMatchObject({ code: status.NOT_FOUND });
    });

    it('merges indexes and restarts the persistent subscriptions', async () => {
      const empty = new Empty();
      await unary((done) => raw.operations.mergeIndexes(empty, raw.metadata, done));
      await unary((done) =>
        raw.operations.restartPersistentSubscriptions(empty, raw.metadata, done),
      );
    });
  });
});

/** Only our own server decides these: its administrators, and the calls that it does not have. */
describe('calls for operators of the embedded event store', () => {
  const { start } = standaloneStores();
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
        unary((done) => raw.operations.shutdown(new Empty(), raw.metadata, done));
      await expect(shutDown(ada)).rejects.toMatchObject(denied);
      const details = (raw: RawStore, name: string): Promise<DetailsResp> =>
        firstOf<DetailsResp>(raw.users.details(detailsRequest(name), raw.metadata));
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
      await unary((done) => ops.operations.mergeIndexes(new Empty(), ops.metadata, done));
      await expect(
        firstOf<DetailsResp>(ops.users.details(detailsRequest('admin'), ops.metadata)),
      ).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
      await unary((done) => ops.operations.shutdown(new Empty(), ops.metadata, done));
      await until('the program to end', () => server.hasEnded);
    },
  );

  embeddedOnly('a real server has them')('that it does not have say so in HTTP', async () => {
    const server = await start();
    const { httpAddress } = as(server.connectionString);
    for (const path of ['/projections/any', '/subscriptions', '/users', '/admin/shutdown']) {
      const answer = await fetch(`${httpAddress}${path}`);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { error: expect.stringContaining('everything else is gRPC') as string },
      ]);
    }
  });

  embeddedOnly('its users are given at the start')(
    'name the users of a server that was started without',
    async () => {
      const server = await start();
      const raw = as(server.connectionString);
      const details = async (name: string) => {
        const request = raw.users.details(detailsRequest(name), raw.metadata);
        return (await firstOf<DetailsResp>(request)).getUserDetails()?.toObject();
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

  embeddedOnly('a real server has them')('that it does not have say why', async () => {
    const server = await start();
    const raw = as(server.connectionString);
    await expect(
      unary((done) => raw.users.create(new CreateReq(), raw.metadata, done)),
    ).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
      details: expect.stringContaining('--user') as string,
    });
    await expect(
      unary((done) => raw.operations.setNodePriority(new SetNodePriorityReq(), raw.metadata, done)),
    ).rejects.toMatchObject({ details: expect.stringContaining('single node') as string });
  });
});
