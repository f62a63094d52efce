import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { forwardTo } from './forward';

/** Ports that the function "fetch" refuses. One of them is probably free. */
const REFUSED_PORTS = [4190, 6000, 6566, 6665, 6679, 6697, 10080];

const listenOn = async (server: Server, ports: readonly number[]): Promise<URL> => {
  for (const port of ports) {
    server.listen(port, '127.0.0.1');
    const isListening = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isListening) break;
  }
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`);
};

describe('forwarding a webhook to the own server', () => {
  const body = Buffer.from('{"name":"Zoë"}');
  const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1', host: 'other' };
  let server: Server;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends the same bytes and headers, also to a port that fetch refuses', async () => {
    const received: unknown[] = [];
    server = createServer((request, response) => {
      void buffer(request).then((bytes) => {
        const { 'webhook-id': id, host, 'content-type': type } = request.headers;
        received.push([request.method, request.url, bytes.equals(body), id, host, type]);
        response.writeHead(302, { location: '/elsewhere' }).end();
      });
    });
    const url = await listenOn(server, REFUSED_PORTS);
    expect(await forwardTo(url, headers, body)).toMatchObject({ status: 302, error: null });
    expect(received).toEqual([['POST', '/hooks', true, 'evt_1', url.host, 'application/json']]);
  });

  it('tells the reason if nothing answers', async () => {
    server = createServer();
    const url = await listenOn(server, [0]);
    server.close();
    expect(await forwardTo(url, headers, body)).toMatchObject({
      status: 502,
      error: 'ECONNREFUSED',
    });
  });
});
