import { Server, ServerCredentials } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb';
import { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { EventStoreConnection } from '../../src/event-store/connection';
import { checkRights, describeRefusal } from '../../src/event-store/start-rights';
import { createStoreStarter } from '../../packages/embedded-eventstore/test/support/store-server';

const TLS = join(__dirname, '../../packages/embedded-eventstore/test/support/tls');
const cert = join(TLS, 'localhost.pem');
const key = join(TLS, 'localhost.key');

describe('the permissions check at the event store', () => {
  const { start } = createStoreStarter();
  const connections: EventStoreConnection[] = [];
  afterEach(() => Promise.all(connections.splice(0).map((connection) => connection.close())));

  const connect = (url: string): EventStoreConnection => {
    const connection = new EventStoreConnection(url);
    connections.push(connection);
    return connection;
  };

  const prove = (url: string, leaderTimeoutMs?: number): Promise<void> =>
    checkRights(connect(url), AbortSignal.timeout(50_000), leaderTimeoutMs);

  const startSecuredServer = () =>
    start({ args: ['--tls', '--cert', cert, '--key', key, '--user', 'ada:secret'] });

  it('passes on a plain server, and on one with TLS for a known user', async () => {
    const plain = await start();
    await prove(plain.connectionString);
    const server = await startSecuredServer();
    await prove(server.createConnectionString('ada:secret', `tlsCAFile=${cert}`));
  });

  it.each([
    [
      'a wrong password',
      'ada:wrong',
      `tlsCAFile=${cert}`,
      /refuses the user "ada".*password is wrong/,
    ],
    ['no user', '', `tlsCAFile=${cert}`, /asks for a user, and EVENTSTORE_URL names none/],
    [
      'a certificate that is not trusted',
      'ada:secret',
      'tls=true',
      /not trusted \(self-signed certificate\).*tlsCAFile/,
    ],
    [
      'a plain connection to a port with TLS',
      'ada:secret',
      'tls=false',
      /speaks TLS on this port.*tls=false/,
    ],
  ])('fails with a specific message for %s', async (_, user, query, sentence) => {
    const server = await startSecuredServer();
    const refused = prove(server.createConnectionString(user, query));
    await expect(refused).rejects.toMatchObject({
      name: 'ConfigError',
      problems: [expect.stringMatching(sentence)],
    });
    await expect(refused).rejects.not.toThrow('secret');
  });

  it('fails with a specific message for TLS to a port without TLS', async () => {
    const plain = await start();
    const refused = prove(plain.createConnectionString('ada:secret', 'tls=true'));
    await expect(refused).rejects.toThrow(/speaks no TLS on this port.*add tls=false/);
  });

  const discovery = 'maxDiscoverAttempts=2&discoveryInterval=100';
  const toDiscoveryUrl = (url: string): string => url.replace('esdb://', 'esdb+discover://');

  it.each([
    ['a certificate that is not trusted', 'tls=true', /not trusted \(self-signed certificate\)/],
    ['a plain connection to a port with TLS', 'tls=false', /speaks TLS on this port/],
  ])(
    'reports the reason also if EVENTSTORE_URL names a cluster to discover: %s',
    async (_, query, said) => {
      const server = await startSecuredServer();
      const url = server.createConnectionString('ada:secret', `${query}&${discovery}`);
      await expect(prove(toDiscoveryUrl(url))).rejects.toThrow(said);
    },
  );

  it('reports TLS to a port without TLS also if EVENTSTORE_URL names a cluster to discover', async () => {
    const plain = await start();
    const url = plain.createConnectionString('ada:secret', `tls=true&${discovery}`);
    await expect(prove(toDiscoveryUrl(url))).rejects.toThrow(/speaks no TLS on this port/);
  });

  it('starts the projection $by_category if it is stopped', async () => {
    const { client } = connect((await start({ projections: false })).connectionString);
    expect((await client.getProjectionStatus('$by_category')).projectionStatus).not.toBe('Running');
    await checkRights(connections[0]!, AbortSignal.timeout(50_000));
    expect((await client.getProjectionStatus('$by_category')).projectionStatus).toBe('Running');
  });

  it('fails with a specific message if the user may not start the projection $by_category', async () => {
    const server = await start({ projections: false });
    const connection = connect(server.createConnectionString('ada:secret', 'tls=false'));
    const denied = Object.assign(new Error('7 PERMISSION_DENIED: Access Denied'), { code: 7 });
    jest.spyOn(connection.client, 'enableProjection').mockRejectedValue(denied);
    const refused = checkRights(connection, AbortSignal.timeout(50_000));
    await expect(refused).rejects.toMatchObject({
      name: 'ConfigError',
      problems: [expect.stringMatching(/start the projection \$by_category.*\$ops or \$admins/)],
    });
  });

  const TEST_STREAM = 'start_check-rights';
  const CATEGORY = '$ce-start_check';

  /** Makes the store refuse one call of the client, or the reads of one stream. */
  const refuseCall = ({ client, appends }: EventStoreConnection, call: string): void => {
    const denied = Object.assign(new Error('7 PERMISSION_DENIED: Access Denied'), { code: 7 });
    const refuse = (): never => {
      throw denied;
    };
    if (call === 'append') {
      jest.spyOn(appends, 'append').mockRejectedValue(denied);
    } else if (call === TEST_STREAM || call === CATEGORY) {
      const read = client.readStream.bind(client);
      jest
        .spyOn(client, 'readStream')
        .mockImplementation((name, options) => (name === call ? refuse() : read(name, options)));
    } else {
      jest.spyOn(client, call as 'readAll').mockImplementation(refuse);
    }
  };

  it.each([
    ['readAll', /not let .* read \$all, the whole log: .*\$admins.*\$\$\$all/],
    [TEST_STREAM, /not let .* read a stream: .*\$r in \$userStreamAcl.*\$settings/],
    ['append', /not let .* append to a stream: .*\$w in \$userStreamAcl.*\$settings/],
    [CATEGORY, /not let .* read category streams \(\$ce-…\).*\$systemStreamAcl/],
    ['createPersistentSubscriptionToStream', /not let .* create a persistent.*\$ops or \$admins/],
    ['getProjectionStatus', /not let .* see the state of the projection.*\$ops or \$admins/],
  ])(
    'fails with one sentence that names the right, where %s is refused',
    async (call, sentence) => {
      const connection = connect((await start()).connectionString);
      refuseCall(connection, call);
      await expect(checkRights(connection, AbortSignal.timeout(50_000))).rejects.toMatchObject({
        name: 'ConfigError',
        problems: [expect.stringMatching(sentence)],
      });
    },
  );

  it('fails with a specific message for a server that knows no leader', async () => {
    const { connectionString } = await start({ args: ['--fault', 'not-leader=1'] });
    await expect(prove(connectionString, 100)).rejects.toThrow(/has no leader, so it takes no/);
  });

  it('fails with a specific message for a cluster without a leader', async () => {
    const gossip = new Server();
    gossip.addService(GossipService, {
      read: (_: unknown, answer: (error: null, members: ClusterInfo) => void) => {
        answer(null, new ClusterInfo());
      },
    });
    const port = await new Promise<number>((resolve, reject) => {
      gossip.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    try {
      const url = `esdb+discover://127.0.0.1:${port}?tls=false&${discovery}`;
      await expect(prove(url, 100)).rejects.toThrow(/answers and has no leader/);
    } finally {
      gossip.forceShutdown();
    }
  });

  it('waits for a cluster of which no member answers', async () => {
    const url = `esdb+discover://127.0.0.1:1?tls=false&${discovery}`;
    await checkRights(connect(url), AbortSignal.timeout(2_000), 0);
  });

  it('names missing permissions with the user and with the way to grant them', () => {
    const right = {
      action: 'read $all, the whole log',
      howToGrant: 'put the user into the group $admins',
    };
    const address = { address: 'db:2113', user: 'ops', tls: true };
    const denied = Object.assign(new Error('7 PERMISSION_DENIED: Access Denied'), { code: 7 });
    expect(describeRefusal(right, denied, address)).toBe(
      'the event store at db:2113 does not let the user "ops" of EVENTSTORE_URL read $all, the whole ' +
        'log: put the user into the group $admins',
    );
    expect(describeRefusal(right, new Error('14 UNAVAILABLE: No connection'), address)).toBeNull();
  });

  it('accepts an IP address without a warning of Node', async () => {
    const server = await startSecuredServer();
    const url = server.createConnectionString('ada:secret', `tlsCAFile=${cert}`);
    const script = `
      const { EventStoreConnection } = require('./src/event-store/connection');
      const { isAnswering } = require('./src/event-store/availability');
      const connection = new EventStoreConnection(process.argv[1]);
      isAnswering(connection).then((ok) => { console.log(ok); process.exit(); });`;
    const run = spawnSync(process.execPath, ['-r', '@swc-node/register', '-e', script, url], {
      encoding: 'utf8',
    });
    expect(run.stdout.trim()).toBe('true');
    expect(run.stderr).not.toContain('DEP0123');
  });
});
