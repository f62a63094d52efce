import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AddressGuard } from './address-guard';
import { Sender } from './sender';
import { readStoreAddresses, StoreGuard } from './sender-store-guard';

describe('the addresses of stores', () => {
  it.each([
    ['esdb://store.example?tls=false', [['store.example', 2113]]],
    ['esdb://admin:pass@10.0.0.1:2114', [['10.0.0.1', 2114]]],
    [
      'esdb://a.example:1,B.example.,c.example:3?tls=true',
      [
        ['a.example', 1],
        ['b.example', 2113],
        ['c.example', 3],
      ],
    ],
    ['esdb+discover://cluster.example:2115', [['cluster.example', 2115]]],
  ])('are read from EVENTSTORE_URL %s', (eventStoreUrl, expected) => {
    const found = readStoreAddresses({ eventStoreUrl });
    expect(found.map(({ host, port }) => [host, port])).toEqual(expected);
  });

  it.each([
    ['postgres://u:p@db.example/name', [['db.example', 5432]]],
    ['postgresql://u:p@[::1]:6543/name', [['::1', 6543]]],
    ['postgres:///name?host=/var/run/postgresql', []],
    ['postgres:///name?host=db.example&port=7000', [['db.example', 7000]]],
    ['postgres://u@/name', [['localhost', 5432]]],
  ])('are read from DATABASE_URL %s', (databaseUrl, expected) => {
    const found = readStoreAddresses({ databaseUrl });
    expect(found.map(({ host, port }) => [host, port])).toEqual(expected);
  });
});

describe('the guard of stores', () => {
  const names: Record<string, readonly string[]> = {
    'store.example': ['10.0.0.7'],
    'alias.example': ['10.0.0.7'],
    'other.example': ['10.0.0.8'],
    localhost: ['127.0.0.1', '::1'],
  };
  const guardOf = (eventStoreUrl: string): StoreGuard =>
    new StoreGuard(readStoreAddresses({ eventStoreUrl }), (host) =>
      Promise.resolve(names[host] ?? []),
    );

  it.each([
    ['store.example', 2113, true],
    ['STORE.example.', 2113, true],
    ['alias.example', 2113, true],
    ['10.0.0.7', 2113, true],
    ['[::ffff:a00:7]', 2113, true],
    ['other.example', 2113, false],
    ['store.example', 443, false],
  ])('decides whether %s:%d leads to a store: %s', async (host, port, expected) => {
    expect(await guardOf('esdb://store.example').leadsToStore(host, port)).toBe(expected);
  });

  it.each(['127.0.0.1', '127.0.0.2', '0.0.0.0', '[::1]', 'localhost', '[::ffff:7f00:1]'])(
    'recognises %s as the machine on which a local store listens',
    async (host) => {
      expect(await guardOf('esdb://127.0.0.1:2113').leadsToStore(host, 2113)).toBe(true);
    },
  );
});

describe('a delivery to a store', () => {
  let store: Server;
  let requests = 0;
  let connections = 0;
  let port: number;

  beforeAll(async () => {
    store = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    store.on('connection', () => (connections += 1));
    await new Promise<void>((done) => store.listen(0, '127.0.0.1', done));
    ({ port } = store.address() as AddressInfo);
  });

  afterAll(() => new Promise((done) => store.close(done)));

  const send = async (host: string, guard: StoreGuard) => {
    const options = { timeoutMs: 5_000, connectTimeoutMs: 1_000 };
    const sender = new Sender({ ...options, guard: new AddressGuard(true), storeGuard: guard });
    try {
      return await sender.send({ url: `http://${host}:${port}/`, headers: {}, body: '{}' });
    } finally {
      await sender.close();
    }
  };

  it('fails with address_not_allowed although insecure destinations are allowed', async () => {
    const guard = new StoreGuard(
      readStoreAddresses({ databaseUrl: `postgres://u:p@localhost:${port}/name` }),
    );
    for (const host of ['127.0.0.1', 'localhost', '127.1', '[::ffff:127.0.0.1]']) {
      expect(await send(host, guard)).toMatchObject({
        statusCode: null,
        error: 'address_not_allowed',
      });
    }
    expect([requests, connections]).toEqual([0, 0]);
  });

  it('sends nothing if the name resolves to the store only at connection time', async () => {
    // The guard resolves the name to another address than the connection does.
    const guard = new StoreGuard([{ host: '127.0.0.1', port }], () => Promise.resolve(['8.8.8.8']));
    expect(await send('localhost', guard)).toMatchObject({ error: 'address_not_allowed' });
    expect(requests).toBe(0);
  });

  it('succeeds on a port that no store uses', async () => {
    const guard = new StoreGuard([{ host: '127.0.0.1', port: port + 1 }]);
    expect(await send('127.0.0.1', guard)).toMatchObject({ statusCode: 200 });
  });
});
