import {
  AccessDeniedError,
  ErrorType,
  NO_STREAM,
  NotLeaderError,
  persistentSubscriptionToStreamSettingsFromDefaults as settings,
  START,
  UnavailableError,
} from '@eventstore/db-client';
import { open } from 'lmdb';
import { join } from 'node:path';
import { startEmbeddedEventStore } from '../../src/start';
import { collect, consume, numbered, numberedUpTo, numbersIn } from '../support/store-contract';
import { standaloneStores, storeCommand, type StoreServer } from '../support/store-server';

/** Only our own server has these: its program, its directory and its faults. */
describe('the standalone event store', () => {
  const { start, connect } = standaloneStores();

  describe('its directory', () => {
    it('must be named in the command line', async () => {
      const { code, output } = await storeCommand('serve', '--port', '0');
      expect(code).not.toBe(0);
      expect(output).toContain('--dir');
    });

    it('is locked: a second process is refused and told which process has it', async () => {
      const server = await start();
      for (const command of [['serve', '--port', '0'], ['verify']]) {
        const { code, output } = await storeCommand(...command, '--dir', server.dir);
        expect(code).not.toBe(0);
        expect(output).toContain(`locked by process ${server.pid}`);
      }
      expect(await server.stop()).toBe(0);
      await server.run();
    });

    it('can be opened again after the process that had it was killed', async () => {
      const server = await start();
      const client = connect(server.connectionString);
      await client.appendToStream('a-1', numberedUpTo(3));
      await server.signal('SIGKILL');
      await server.run();
      const again = connect(server.connectionString);
      expect(await numbersIn(again.readStream('a-1'))).toEqual([0, 1, 2]);
    });

    it('cannot be opened by a worker thread while a process has it', async () => {
      const server = await start();
      await expect(startEmbeddedEventStore({ dir: server.dir })).rejects.toThrow(
        String(server.pid),
      );
    });

    it('is refused if it has another format', async () => {
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
    it('are refused without credentials', async () => {
      const server = await start({ args: ['--user', 'ada:secret', '--user', 'ops:other'] });
      // Without TLS the client sends no credentials at all.
      await expect(
        connect(server.connectionString).appendToStream('a-1', numbered(0)),
      ).rejects.toBeInstanceOf(AccessDeniedError);
    });

    it('are let in over TLS with the right password only', async () => {
      const [cert, key] = ['pem', 'key'].map((end) =>
        join(__dirname, `../support/tls/localhost.${end}`),
      ) as [string, string];
      const server = await start({
        args: ['--tls', '--cert', cert, '--key', key, '--user', 'ada:secret'],
      });
      const query = `tls=true&tlsCAFile=${cert}`;
      const ada = connect(server.createConnectionString('ada:secret', query));
      await ada.appendToStream('a-1', numbered(0));
      expect(await numbersIn(ada.readStream('a-1'))).toEqual([0]);
      const wrong = connect(server.createConnectionString('ada:wrong', query));
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

    it('answers a ping', async () => {
      const server = await start();
      const answer = await fetch(`http://${server.address}/ping`);
      expect(await answer.json()).toMatchObject({ text: 'Ping request successfully handled' });
    });

    it('stores an event as it is, even if its data is not the JSON that its type claims', async () => {
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

    it('requires credentials', async () => {
      const server = await start({ args: ['--user', 'ada:secret'] });
      const of = async (password: string): Promise<number> => {
        const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
        const init = { headers: { ...headers, authorization }, body: '{}' };
        return (await post(server, '/streams/a-1', init)).status;
      };
      expect([await of('secret'), await of('wrong')]).toEqual([201, 401]);
    });
  });

  it('tells its own address by gossip', async () => {
    const server = await start();
    const { port } = new URL(server.connectionString.replace('esdb', 'http'));
    const client = connect(`esdb+discover://127.0.0.1:${port}?tls=false`);
    await client.appendToStream('a-1', numbered(0));
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

    it('break the connection after the commit of an append', async () => {
      const client = await faulty('drop-connection=2');
      await client.appendToStream('a-1', numbered(0), { expectedRevision: NO_STREAM });
      const second = numbered(1);
      const append = () => client.appendToStream('a-1', second, { expectedRevision: 0n });
      await expect(append()).rejects.toBeInstanceOf(UnavailableError);
      expect((await append()).nextExpectedRevision).toBe(1n);
    });

    it('refuse a call as not leader, naming a leader', async () => {
      const client = await faulty('not-leader=1');
      await expect(collect(client.readStream('a-1'))).rejects.toBeInstanceOf(NotLeaderError);
    });

    const faultyGroup = async (fault: string) => {
      const client = await faulty(fault);
      await client.appendToStream('a-1', numberedUpTo(3));
      await client.createPersistentSubscriptionToStream('a-1', 'g', settings({ startFrom: START }));
      return client.subscribeToPersistentSubscriptionToStream('a-1', 'g');
    };

    it('send a delivery twice', async () => {
      const seen = await consume(await faultyGroup('duplicate-delivery=2'), 4);
      expect(seen.map(({ event }) => event?.revision)).toEqual([0n, 1n, 1n, 2n]);
    });

    it('make a group drop its consumers', async () => {
      const group = await faultyGroup('drop-group=2');
      await expect(consume(group, 99)).rejects.toMatchObject({ groupName: 'g' });
    });

    it('are refused if they are unknown', async () => {
      const { code, output } = await storeCommand('serve', '--dir', 'x', '--fault', 'fire=1');
      expect(code).not.toBe(0);
      expect(output).toContain('drop-connection');
    });
  });
});
