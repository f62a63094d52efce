import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { AddressGuard } from '../../src/delivery/address-guard';
import { Sender } from '../../src/delivery/sender';
import { Receiver } from '../support/receiver';
import { Service } from '../support/service';

/** A small CONNECT proxy that notes where it was asked to go. */
class Proxy {
  readonly asked: string[] = [];
  refusing = false;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server = createServer((_, response) => {
    response.writeHead(405).end();
  });

  async open(): Promise<string> {
    this.server.on('connect', ({ url = '' }: { url?: string }, client: Socket) => {
      this.asked.push(url);
      this.sockets.add(client);
      client.on('error', () => undefined);
      if (this.refusing) {
        client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
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
    proxy.refusing = false;
  });

  it('takes every delivery, names unresolved', async () => {
    const service = await Service.start({ env: { DELIVERY_PROXY_URL: proxyUrl } });
    try {
      const { api } = await service.tenant();
      // A name that only the proxy knows.
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

  const attempt = async (url: string, allowInsecure: boolean) => {
    const guard = new AddressGuard(allowInsecure);
    const sender = new Sender({ timeoutMs: 2_000, connectTimeoutMs: 1_000, guard, proxyUrl });
    try {
      return await sender.send({ url, headers: {}, body: '{}' });
    } finally {
      await sender.close();
    }
  };

  it('that refuses makes a failed attempt which names no address', async () => {
    proxy.refusing = true;
    const { statusCode, error } = await attempt(receiver.url, true);
    expect(statusCode).toBeNull();
    expect(error).toMatch(/^\w+$/);
    expect(proxy.asked).toHaveLength(1);
  });

  it('is not asked for a private address', async () => {
    const { error } = await attempt(receiver.url, false);
    expect(error).toBe('url_not_allowed');
    expect(proxy.asked).toEqual([]);
  });
});

it('the usual proxy variables come between the service and nothing', async () => {
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
