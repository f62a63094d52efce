import {
  AccessDeniedError,
  ErrorType,
  EventStoreDBClient,
  NO_STREAM,
  NotLeaderError,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  UnavailableError,
} from '@eventstore/db-client';
import { open } from 'lmdb';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEventStore } from '../../src/embedded-store/start';
import {
  collect,
  consume,
  numbered,
  numberedUpTo,
  numbersIn,
  unique,
} from '../support/store-contract';
import { storeCommand, StoreServer } from '../support/store-server';

/** What only our own server has: its program, its directory, its faults. */
describe('the standalone event store', () => {
  const servers: StoreServer[] = [];
  const clients: EventStoreDBClient[] = [];
  const start = async (options: Parameters<typeof StoreServer.start>[0] = {}) => {
    const server = await StoreServer.start(options);
    servers.push(server);
    return server;
  };
  const connect = (connectionString: string) => {
    const client = EventStoreDBClient.connectionString(connectionString);
    clients.push(client);
    return client;
  };

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.dispose()));
    await Promise.all(servers.splice(0).map((server) => server.dispose()));
  });

  describe('its directory', () => {
    it('is needed', async () => {
      const { code, output } = await storeCommand('serve', '--port', '0');
      expect(code).not.toBe(0);
      expect(output).toContain('--dir');
    });

    it('is locked for others, who are told by whom', async () => {
      const server = await start();
      for (const command of [['serve', '--port', '0'], ['verify']]) {
        const { code, output } = await storeCommand(...command, '--dir', server.dir);
        expect(code).not.toBe(0);
        expect(output).toContain(`locked by process ${server.pid}`);
      }
      expect(await server.stop()).toBe(0);
      await server.run();
    });

    it('is free again after a kill', async () => {
      const server = await start();
      const client = connect(server.connectionString);
      await client.appendToStream('a-1', numberedUpTo(3));
      await server.signal('SIGKILL');
      await server.run();
      const again = connect(server.connectionString);
      expect(await numbersIn(again.readStream('a-1'))).toEqual([0, 1, 2]);
    });

    it('is locked for the embedded server too', async () => {
      const server = await start();
      await expect(startEmbeddedEventStore({ dir: server.dir })).rejects.toThrow(
        String(server.pid),
      );
    });

    it('of another format is refused', async () => {
      const server = await start();
      await server.stop();
      const root = open({ path: server.dir, noSubdir: false, encoding: 'binary' });
      const meta = root.openDB({ name: 'meta', encoding: 'binary', keyEncoding: 'binary' });
      await meta.put(Buffer.from('format'), Buffer.from('99'));
      await root.close();
      await expect(server.run()).rejects.toThrow(/format 99/);
    });
  });

  it('ends at SIGTERM with open subscriptions, everything acknowledged on disk', async () => {
    const server = await start();
    const client = connect(server.connectionString);
    const subscription = client.subscribeToAll({ fromPosition: START });
    subscription.on('data', () => undefined).on('error', () => undefined);
    let acknowledged = 0;
    const writing = (async () => {
      for (let n = 0; ; n += 1) {
        await client.appendToStream('a-1', numbered(n));
        acknowledged += 1;
      }
    })().catch(() => undefined);
    await client.appendToStream('b-1', numbered(0));
    const startedMs = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - startedMs).toBeLessThan(8_000);
    await writing;
    await server.run();
    const stored = await numbersIn(connect(server.connectionString).readStream('a-1'));
    expect(stored.length).toBeGreaterThanOrEqual(acknowledged);
  });

  describe('users', () => {
    it('must say who they are, and get in with the right password only', async () => {
      const server = await start({ args: ['--user', 'ada:secret', '--user', 'ops:other'] });
      // Without TLS the client sends no credentials at all.
      await expect(
        connect(server.connectionString).appendToStream('a-1', numbered(0)),
      ).rejects.toBeInstanceOf(AccessDeniedError);
    });

    it('speak TLS', async () => {
      const [cert, key] = ['pem', 'key'].map((end) =>
        join(__dirname, `../support/tls/localhost.${end}`),
      ) as [string, string];
      const server = await start({
        args: ['--tls', '--cert', cert, '--key', key, '--user', 'ada:secret'],
      });
      const query = `tls=true&tlsCAFile=${cert}`;
      const ada = connect(server.connectionStringOf('ada:secret', query));
      await ada.appendToStream('a-1', numbered(0));
      expect(await numbersIn(ada.readStream('a-1'))).toEqual([0]);
      const wrong = connect(server.connectionStringOf('ada:wrong', query));
      await expect(wrong.appendToStream('a-1', numbered(1))).rejects.toBeInstanceOf(
        AccessDeniedError,
      );
      await expect(collect(wrong.readStream('a-1'))).rejects.toBeInstanceOf(AccessDeniedError);
    });
  });

  describe('in HTTP/1.1', () => {
    const post = (server: StoreServer, path: string, init: RequestInit): Promise<Response> =>
      fetch(`http://${server.address}${path}`, { method: 'POST', ...init });
    const headers = { 'content-type': 'application/json', 'es-eventtype': 'posted' };

    it('answers pings', async () => {
      const server = await start();
      const answer = await fetch(`http://${server.address}/ping`);
      expect(await answer.json()).toMatchObject({ text: 'Ping request successfully handled' });
    });

    it('takes an event as it is, also when it is not the JSON it says it is', async () => {
      const server = await start();
      const answer = await post(server, '/streams/caf%C3%A9-1', { headers, body: '****' });
      expect([answer.status, answer.headers.get('location')]).toEqual([
        201,
        '/streams/caf%C3%A9-1/0',
      ]);
      const [read] = await collect(connect(server.connectionString).readStream('café-1'));
      expect(read?.event).toMatchObject({ type: 'posted', isJson: true, data: '****' });
    });

    it.each([
      ['without a type', { 'es-eventtype': '' }, '{}', 400],
      [
        'of several events',
        { 'content-type': 'application/vnd.eventstore.events+json' },
        '[]',
        415,
      ],
      ['at another version', { 'es-expectedversion': '7' }, '{}', 400],
      ['at no version', { 'es-expectedversion': 'x' }, '{}', 400],
      ['with an id that is none', { 'es-eventid': 'x' }, '{}', 400],
      ['that is too large', {}, 'x'.repeat(1_048_577), 413],
    ])('refuses one %s', async (_, more, body, status) => {
      const server = await start();
      const answer = await post(server, '/streams/a-1', { headers: { ...headers, ...more }, body });
      expect(answer.status).toBe(status);
      expect((await post(server, '/streams/%', { headers, body: '{}' })).status).toBe(400);
    });

    it('asks who is there', async () => {
      const server = await start({ args: ['--user', 'ada:secret'] });
      const of = async (password: string): Promise<number> => {
        const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
        const init = { headers: { ...headers, authorization }, body: '{}' };
        return (await post(server, '/streams/a-1', init)).status;
      };
      expect([await of('secret'), await of('wrong')]).toEqual([201, 401]);
    });
  });

  it('tells gossip where it is', async () => {
    const server = await start();
    const { port } = new URL(server.connectionString.replace('esdb', 'http'));
    const client = connect(`esdb+discover://127.0.0.1:${port}?tls=false`);
    await client.appendToStream('a-1', numbered(0));
  });

  describe('verify', () => {
    it('finds a store sound', async () => {
      const server = await start();
      const client = connect(server.connectionString);
      await client.appendToStream('a-1', numberedUpTo(50));
      await client.createPersistentSubscriptionToStream(
        'a-1',
        'g',
        settings({ startFrom: START, checkPointLowerBound: 1, checkPointUpperBound: 1 }),
      );
      await consume(client.subscribeToPersistentSubscriptionToStream('a-1', 'g'), 20);
      await client.deleteStream('a-1');
      await client.tombstoneStream('b-1');
      await server.stop();
      const { code, output } = await storeCommand('verify', '--dir', server.dir);
      expect(output).toContain('sound');
      expect(code).toBe(0);
    });

    it('finds a changed byte', async () => {
      const server = await start();
      const marker = unique('marker');
      await connect(server.connectionString).appendToStream('a-1', {
        ...numbered(0),
        type: marker,
      });
      await server.stop();
      overwrite(join(server.dir, 'data.mdb'), marker, `${marker.slice(0, -1)}#`);
      const { code, output } = await storeCommand('verify', '--dir', server.dir);
      expect(output).toMatch(/the record at \d+ is damaged/);
      expect(code).toBe(1);
    });

    it.each([
      [
        'truncated',
        (file: string) => {
          truncateSync(file, statSync(file).size / 2);
        },
      ],
      [
        'overwritten',
        (file: string) => {
          writeFileSync(file, Buffer.alloc(statSync(file).size));
        },
      ],
    ])('says that a file is damaged which was %s', async (_, damage) => {
      const server = await start();
      const client = connect(server.connectionString);
      await client.appendToStream('a-1', numberedUpTo(500));
      await server.stop();
      damage(join(server.dir, 'data.mdb'));
      const { code, output } = await storeCommand('verify', '--dir', server.dir);
      expect(output).not.toBe('');
      expect(code).toBe(1);
    });

    it('says when there is no store', async () => {
      const { code, output } = await storeCommand('verify', '--dir', '/nonexistent');
      expect(code).not.toBe(0);
      expect(output).toContain('no event store');
    });
  });

  it('exports no damaged record, and nothing from where there is no store', async () => {
    const [source, target] = await Promise.all([start(), start({ projections: false })]);
    const marker = unique('marker');
    const damaged = { ...numbered(0), type: marker };
    await connect(source.connectionString).appendToStream('a-1', damaged);
    await source.stop();
    overwrite(join(source.dir, 'data.mdb'), marker, `${marker.slice(0, -1)}#`);
    const exported = (dir: string) =>
      storeCommand('export', '--dir', dir, '--to', target.connectionString);
    expect(await exported(source.dir)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/The record at \d+ is damaged/) as string,
    });
    const to = connect(target.connectionString);
    await expect(collect(to.readStream('a-1'))).rejects.toBeInstanceOf(StreamNotFoundError);
    expect(await exported(tmpdir())).toMatchObject({
      code: 1,
      output: expect.stringContaining('no event store') as string,
    });
    expect(existsSync(join(tmpdir(), 'data.mdb'))).toBe(false);
  });

  it('exports everything into another store, goes on later, and repeats nothing', async () => {
    const [source, target] = await Promise.all([start(), start({ projections: false })]);
    const from = connect(source.connectionString);
    const events = numberedUpTo(700);
    await from.appendToStream('x-1', events, { expectedRevision: NO_STREAM });
    for (let i = 0; i < 20; i += 1) await from.appendToStream(`y-${i % 3}`, numbered(i));
    await from.setStreamMetadata('y-0', { maxCount: 2 });
    await from.deleteStream('y-1');
    await from.appendToStream('z-1', numbered(0));
    await from.tombstoneStream('z-1');
    const often = { checkPointLowerBound: 1, checkPointUpperBound: 1 };
    await from.createPersistentSubscriptionToStream(
      'x-1',
      'g',
      settings({ startFrom: START, ...often }),
    );
    await consume(from.subscribeToPersistentSubscriptionToStream('x-1', 'g'), 10);
    const exportIt = async () => {
      await source.stop();
      const { code, output } = await storeCommand(
        ...['export', '--dir', source.dir, '--to', target.connectionString],
      );
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining('Exported') as string,
      });
      await source.run();
      return Number(/Exported (\d+) events/.exec(output)?.[1]);
    };
    expect(await exportIt()).toBe(721);
    expect(await exportIt()).toBe(0);
    const again = connect(source.connectionString);
    await again.appendToStream('x-1', numbered(700));
    expect(await exportIt()).toBe(1);

    const to = connect(target.connectionString);
    const copied = await collect(to.readStream('x-1'));
    expect(copied.map(({ event }) => event?.id).slice(0, 700)).toEqual(events.map(({ id }) => id));
    expect(copied).toHaveLength(701);
    expect(await collect(to.readStream('y-0'))).toHaveLength(2);
    await expect(collect(to.readStream('y-1'))).rejects.toBeInstanceOf(StreamNotFoundError);
    await expect(collect(to.readStream('z-1'))).rejects.toBeInstanceOf(StreamDeletedError);
    const group = to.subscribeToPersistentSubscriptionToStream('x-1', 'g');
    expect((await consume(group, 1))[0]?.event?.revision).toBeLessThanOrEqual(10n);
    expect((await to.getProjectionStatus('$by_category')).projectionStatus).toBe('Running');
  });

  describe('faults it is told to make', () => {
    const faulty = async (fault: string) => {
      const server = await start({ args: ['--fault', fault] });
      return connect(server.connectionString);
    };
    const credentials = { username: 'a', password: 'b' };

    it.each([
      ['batch', ErrorType.DEADLINE_EXCEEDED, {}],
      ['classic', ErrorType.TIMEOUT, { credentials }],
    ])('a time-out after the commit, %s append', async (_, expected, options) => {
      const client = await faulty('timeout-after-commit=2');
      const [first, second] = [numbered(0), numbered(1)];
      await client.appendToStream('a-1', first, { expectedRevision: NO_STREAM, ...options });
      const append = () =>
        client.appendToStream('a-1', second, { expectedRevision: 0n, ...options });
      await expect(append()).rejects.toMatchObject({ type: expected });
      expect((await append()).nextExpectedRevision).toBe(1n);
      expect(await numbersIn(client.readStream('a-1'))).toEqual([0, 1]);
    });

    it('a broken connection after the commit', async () => {
      const client = await faulty('drop-connection=2');
      await client.appendToStream('a-1', numbered(0), { expectedRevision: NO_STREAM });
      const second = numbered(1);
      const append = () => client.appendToStream('a-1', second, { expectedRevision: 0n });
      await expect(append()).rejects.toBeInstanceOf(UnavailableError);
      expect((await append()).nextExpectedRevision).toBe(1n);
    });

    it('"not leader", which names a leader', async () => {
      const client = await faulty('not-leader=1');
      await expect(collect(client.readStream('a-1'))).rejects.toBeInstanceOf(NotLeaderError);
    });

    const faultyGroup = async (fault: string) => {
      const client = await faulty(fault);
      await client.appendToStream('a-1', numberedUpTo(3));
      await client.createPersistentSubscriptionToStream('a-1', 'g', settings({ startFrom: START }));
      return client.subscribeToPersistentSubscriptionToStream('a-1', 'g');
    };

    it('deliveries that come twice', async () => {
      const seen = await consume(await faultyGroup('duplicate-delivery=2'), 4);
      expect(seen.map(({ event }) => event?.revision)).toEqual([0n, 1n, 1n, 2n]);
    });

    it('a group that drops its consumers', async () => {
      const group = await faultyGroup('drop-group=2');
      await expect(consume(group, 99)).rejects.toMatchObject({ groupName: 'g' });
    });

    it('that it does not know are refused', async () => {
      const { code, output } = await storeCommand('serve', '--dir', 'x', '--fault', 'fire=1');
      expect(code).not.toBe(0);
      expect(output).toContain('drop-connection');
    });
  });
});

/** Replaces bytes in place, wherever they are. */
const overwrite = (file: string, what: string, by: string): void => {
  const bytes = readFileSync(file);
  expect(statSync(file).size).toBe(bytes.length);
  const fd = openSync(file, 'r+');
  for (let at = bytes.indexOf(what); at >= 0; at = bytes.indexOf(what, at + 1)) {
    writeSync(fd, by, at);
  }
  closeSync(fd);
};
