import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { databases } from './databases';
import { Service } from './service';
import { SHARED_SERVICES_URL } from './shared-services-client';

/**
 * The global set-up of Jest. It keeps one service for each worker and SQL database, starts it when
 * a suite first asks for it (`RunningService.shared`), and stops it after all suites.
 */
export default async function setUp(): Promise<void> {
  const services = new Map<string, Promise<Service>>();
  const started = (path: string): Promise<Service> => {
    const known = services.get(path);
    if (known !== undefined) return known;
    const [, name] = path.split('/');
    const database = databases.find((each) => each.name === name);
    const service =
      database === undefined
        ? Promise.reject(new Error(`no SQL database is called ${String(name)}`))
        : Service.start({ database });
    services.set(path, service);
    return service;
  };
  const server = createServer((request, response) => {
    // A suite asks once. On a busy machine a kept connection could be closed during the next
    // request.
    response.setHeader('connection', 'close');
    started(request.url ?? '').then(
      ({ url, dataDir }) => response.end(JSON.stringify({ url, dataDir })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[SHARED_SERVICES_URL] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stopSharedServices = async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all([...services.values()].map(async (service) => (await service).dispose()));
  };
}

let stopSharedServices = (): Promise<void> => Promise.resolve();

/** The global tear-down of Jest. */
export const tearDown = (): Promise<void> => stopSharedServices();
