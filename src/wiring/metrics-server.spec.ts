import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { serveMetrics } from './metrics-server';

const TOKEN = 'a-token-for-the-monitoring';

describe('the port of METRICS_PORT', () => {
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const serve = async (token?: string): Promise<string> => {
    const registry = new Registry();
    const server = await serveMetrics(
      { registry, collectText: () => registry.metrics() },
      { host: '127.0.0.1', port: 0, token },
    );
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it('shows the metrics and nothing else', async () => {
    const url = await serve();
    const found = await fetch(`${url}/metrics`);
    expect([found.status, found.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ]);
    for (const path of ['/', '/v1/subscribers', '/operator/v1/tenants', '/docs', '/Metrics']) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('asks for METRICS_TOKEN where that is set too', async () => {
    const url = await serve(TOKEN);
    const statusWith = async (authorization?: string): Promise<number> => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await fetch(`${url}/metrics`, { headers })).status;
    };
    expect(await statusWith()).toBe(401);
    expect(await statusWith('Bearer another-token')).toBe(401);
    expect(await statusWith(TOKEN)).toBe(401);
    expect(await statusWith(`Bearer ${TOKEN}`)).toBe(200);
  });
});
