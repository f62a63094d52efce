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
import {
  readAll,
  consume,
  createNumbered,
  createNumberedUpTo,
  numbersIn,
} from '../support/store-contract';
import { createStoreStarter, storeCommand, type StoreServer } from '../support/store-server';

/** Only the embedded server has these: its program, its directory and its faults. */
describe('the standalone event store', () => {
  const { start, connect } = createStoreStarter();

  describe('the directory', () => {
    it('must be given on the command line', async () => {
      const { code, output } = await storeCommand('serve', '--port', '0');
      expect(code).not.toBe(0);
      expect(output).toContain('--dir');
    });

    it('is locked: a second process is refused, and the error names the first one', async () => {
      const server = await start();
      for (const command of [['serve', '--port', '0'], ['verify']]) {
        const { code, output } = await storeCommand(...command, '--dir', server.dir);
        expect(code).not.toBe(0);
        expect(output).toContain(`locked by process ${server.pid}`);
      }
      expect(await server.stop()).toBe(0);
      await server.run();
    });

    it('can be opened after the process that used it was killed', async () => {
      const server = await start();
      const client = connect(server.connectionString);
      await client.appendToStream('a-1', createNumberedUpTo(3));
      await server.signal('SIGKILL');
      await server.run();
      const again = connect(server.connectionString);
      expect(await numbersIn(again.readStream('a-1'))).toEqual([0, 1, 2]);
    });

    it('cannot be opened by a worker thread while a process uses it', async () => {
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

  it('ends at SIGTERM although subscriptions are open, with every acknowledged event on disk', async () => {
    const server = await start();
    const client = connect(server.connectionString);
    const subscription = client.subscribeToAll({ fromPosition: START });
    subscription.on('data', () => undefined).on('error', () => undefined);
    let acknowledged = 0;
    const writing = (async () => {
      for (let n = 0; ; n += 1) {
        await client.appendToStream('a-1', createNumbered(n));
        acknowledged += 1;
      }
    })().catch(() => undefined);
    await client.appendToStream('b-1', createNumbered(0));
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
        connect(server.connectionString).appendToStream('a-1', createNumbered(0)),
      ).rejects.toBeInstanceOf(AccessDeniedError);
    });

    it('are accepted over TLS only with the right password', async () => {
      const [cert, key] = ['pem', 'key'].map((end) =>
        join(__dirname, `../support/tls/localhost.${end}`),
      ) as [string, string];
      const server = await start({
        args: ['--tls', '--cert', cert, '--key', key, '--user', 'ada:secret'],
      });
      const query = `tls=true&tlsCAFile=${cert}`;
      const ada = connect(server.createConnectionString('ada:secret', query));
      await ada.appendToStream('a-1', createNumbered(0));
      expect(await numbersIn(ada.readStream('a-1'))).toEqual([0]);
      const wrong = connect(server.createConnectionString('ada:wrong', query));
      await expect(wrong.appendToStream('a-1', createNumbered(1))).rejects.toBeInstanceOf(
        AccessDeniedError,
      );
      await expect(readAll(wrong.readStream('a-1'))).rejects.toBeInstanceOf(AccessDeniedError);
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

    it('stores an event unchanged, even if its data is not the JSON that its content type claims', async () => {
      const server = await start();
      const answer = await post(server, '/streams/caf%C3%A9-1', { headers, body: '****' });
      expect([answer.status, answer.headers.get('location')]).toEqual([
        201,
        '/streams/caf%C3%A9-1/0',
      ]);
      const [read] = await readAll(connect(server.connectionString).readStream('café-1'));
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

  it('reports its own address by gossip', async () => {
    const server = await start();
    const { port } = new URL(server.connectionString.replace('esdb', 'http'));
    const client = connect(`esdb+discover://127.0.0.1:${port}?tls=false`);
    await client.appendToStream('a-1', createNumbered(0));
  });

  describe('requested faults', () => {
    const startWithFault = async (fault: string) => {
      const server = await start({ args: ['--fault', fault] });
      return connect(server.connectionString);
    };
    const credentials = { username: 'a', password: 'b' };

    it.each([
      ['batch', ErrorType.DEADLINE_EXCEEDED, {}],
      ['classic', ErrorType.TIMEOUT, { credentials }],
    ])('answer a %s append with a time-out after its commit', async (_, expected, options) => {
      const client = await startWithFault('timeout-after-commit=2');
      const [first, second] = [createNumbered(0), createNumbered(1)];
      await client.appendToStream('a-1', first, { expectedRevision: NO_STREAM, ...options });
      const append = () =>
        client.appendToStream('a-1', second, { expectedRevision: 0n, ...options });
      await expect(append()).rejects.toMatchObject({ type: expected });
      expect((await append()).nextExpectedRevision).toBe(1n);
      expect(await numbersIn(client.readStream('a-1'))).toEqual([0, 1]);
    });

    it('break the connection after the commit of an append', async () => {
      const client = await startWithFault('drop-connection=2');
      await client.appendToStream('a-1', createNumbered(0), { expectedRevision: NO_STREAM });
      const second = createNumbered(1);
      const append = () => client.appendToStream('a-1', second, { expectedRevision: 0n });
      await expect(append()).rejects.toBeInstanceOf(UnavailableError);
      expect((await append()).nextExpectedRevision).toBe(1n);
    });

    it('refuse a call as not leader, and name the leader', async () => {
      const client = await startWithFault('not-leader=1');
      await expect(readAll(client.readStream('a-1'))).rejects.toBeInstanceOf(NotLeaderError);
    });

    const startGroupWithFault = async (fault: string) => {
      const client = await startWithFault(fault);
      await client.appendToStream('a-1', createNumberedUpTo(3));
      await client.createPersistentSubscriptionToStream('a-1', 'g', settings({ startFrom: START }));
      return client.subscribeToPersistentSubscriptionToStream('a-1', 'g');
    };

    it('send a delivery twice', async () => {
      const seen = await consume(await startGroupWithFault('duplicate-delivery=2'), 4);
      expect(seen.map(({ event }) => event?.revision)).toEqual([0n, 1n, 1n, 2n]);
    });

    it('make a group drop its consumers', async () => {
      const group = await startGroupWithFault('drop-group=2');
      await expect(consume(group, 99)).rejects.toMatchObject({ groupName: 'g' });
    });

    it('are refused if they are unknown', async () => {
      const { code, output } = await storeCommand('serve', '--dir', 'x', '--fault', 'fire=1');
      expect(code).not.toBe(0);
      expect(output).toContain('drop-connection');
    });
  });
});
