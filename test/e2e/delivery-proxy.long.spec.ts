import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as listenRaw, type Socket } from 'node:net';
import { AddressGuard } from '../../src/delivery/webhook/address-guard';
import { Sender } from '../../src/delivery/webhook/sender';
import type { AttemptResult } from '../../src/delivery/model/verdict';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';

/** A small CONNECT proxy that records the requested addresses. */
class Proxy {
  readonly asked: string[] = [];
  /** The credentials of the last CONNECT. */
  credentials: string | undefined;
  behaviour: 'connects' | 'refuses' | 'hangs up' | 'hangs' = 'connects';
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((_, response) => {
    response.writeHead(405).end();
  });

  async open(): Promise<string> {
    this.server.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
      this.asked.push(url);
      this.credentials = headers['proxy-authorization'];
      this.sockets.add(client);
      client.on('error', () => undefined);
      if (this.behaviour === 'refuses') client.end('HTTP/1.1 407 Forbidden\r\n\r\n');
      if (this.behaviour === 'hangs up') client.end();
      if (this.behaviour !== 'connects') return;
      const port = Number(url.slice(url.lastIndexOf(':') + 1));
      const target = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        target.pipe(client).pipe(target);
      });
      this.sockets.add(target);
      target.on('error', () => client.destroy());
    });
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

describe('DELIVERY_PROXY_URL', () => {
  const proxy = new Proxy();
  let proxyUrl: string;
  let receiver: Receiver;

  beforeAll(async () => {
    proxyUrl = await proxy.open();
    receiver = await Receiver.start();
  });

  afterAll(async () => {
    proxy.close();
    await receiver.close();
  });

  beforeEach(() => {
    proxy.asked.length = 0;
    proxy.behaviour = 'connects';
  });

  it('receives every delivery, also for names that only the proxy can resolve', async () => {
    const service = await Service.start({ env: { DELIVERY_PROXY_URL: proxyUrl } });
    try {
      const { api } = await service.tenant();
      // Only the proxy can resolve this name.
      const url = receiver.url.replace('127.0.0.1', 'receiver.invalid');
      const { id } = (await api.post('/v1/destinations', { type: 'https_webhook', url })).created;
      await api.post('/v1/subscribers', { email: 'ada@example.com' });
      const { headers } = await receiver.next('subscriber.created');
      expect(headers['x-service-destination-id']).toBe(id);
      expect(headers.host).toBe(new URL(url).host);
      expect(proxy.asked).toContain(new URL(url).host);
    } finally {
      await service.dispose();
    }
  });

  const withSender = async <T>(
    use: (send: (url: string) => Promise<AttemptResult>) => Promise<T>,
    { guard = new AddressGuard(true), through = proxyUrl } = {},
  ): Promise<T> => {
    const timeouts = { timeoutMs: 2_000, connectTimeoutMs: 500 };
    const sender = new Sender({ ...timeouts, guard, proxyUrl: through });
    try {
      return await use((url) => sender.send({ url, headers: {}, body: '{}' }));
    } finally {
      await sender.close();
    }
  };

  it('causes a failed attempt with its status and without an address when it refuses', async () => {
    proxy.behaviour = 'refuses';
    const { statusCode, error } = await withSender((send) => send(receiver.url));
    expect(statusCode).toBeNull();
    expect(error).toBe('proxy_refused_407');
    expect(proxy.asked).toHaveLength(1);
  });

  it('is asked once for each attempt if it closes the connection without a response', async () => {
    proxy.behaviour = 'hangs up';
    await withSender(async (send) => {
      for (const asked of [1, 2, 3]) {
        expect((await send(receiver.url)).error).toBe('proxy_closed');
        expect(proxy.asked).toHaveLength(asked);
      }
      proxy.behaviour = 'connects';
      expect((await send(receiver.url)).statusCode).toBe(200);
      expect(proxy.asked).toHaveLength(4);
    });
  });

  it('has as much time to answer as a connection', async () => {
    proxy.behaviour = 'hangs';
    const { error, durationMs } = await withSender((send) => send(receiver.url));
    expect(error).toBe('timeout');
    expect(durationMs).toBeLessThan(1_900);
  });

  it('receives a user name without a password', async () => {
    const through = proxyUrl.replace('//', '//t%20ken@');
    expect((await withSender((send) => send(receiver.url), { through })).statusCode).toBe(200);
    expect(proxy.credentials).toBe(`Basic ${Buffer.from('t ken:').toString('base64')}`);
  });

  it('may send an unrequested 100 Continue', async () => {
    const raw = listenRaw((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    await new Promise<void>((listening) => raw.listen(0, '127.0.0.1', listening));
    const { port } = raw.address() as AddressInfo;
    try {
      const { statusCode } = await withSender((send) => send(`http://127.0.0.1:${port}`));
      expect(statusCode).toBe(204);
    } finally {
      raw.close();
    }
  });

  it.each([
    ['10.0.0.7', 'url_not_allowed', 0],
    ['8.8.8.8', 'proxy_refused_407', 1],
    [null, 'url_not_allowed', 0],
  ])('is asked for a name that resolves here to %s: %s', async (address, reason, asked) => {
    proxy.behaviour = 'refuses';
    const guard = new AddressGuard(false, (_hostname, _options, answer) => {
      if (address === null) answer(new Error('ENOTFOUND'), []);
      else answer(null, [{ address, family: 4 }]);
    });
    const url = 'http://hooks.example/';
    expect((await withSender((send) => send(url), { guard })).error).toBe(reason);
    expect(proxy.asked).toHaveLength(asked);
  });

  it.each(['127.0.0.1', '[::1]', 'localhost', 'localhost.', 'hooks.localhost'])(
    'is not used for this machine: %s',
    async (host) => {
      const url = receiver.url.replace('127.0.0.1', host);
      const { error } = await withSender((send) => send(url), { guard: new AddressGuard(false) });
      expect(error).toBe('url_not_allowed');
      expect(proxy.asked).toEqual([]);
    },
  );
});

it('proxy variables such as HTTPS_PROXY do not affect deliveries', async () => {
  const nobody = 'http://127.0.0.1:1';
  const receiver = await Receiver.start();
  const service = await Service.start({
    env: { http_proxy: nobody, https_proxy: nobody, grpc_proxy: nobody, HTTPS_PROXY: nobody },
  });
  try {
    const { api } = await service.tenant();
    const hook = { type: 'https_webhook', url: receiver.url };
    (await api.post('/v1/destinations', hook)).expect(201);
    await api.post('/v1/subscribers', { email: 'ada@example.com' });
    await receiver.next('subscriber.created');
  } finally {
    await service.dispose();
    await receiver.close();
  }
});
