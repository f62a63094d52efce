import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

/**
 * This suite sends another request on a connection that was busy when the service was told to stop.
 */
describe('while the service shuts down', () => {
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await Service.start();
    tenant = await service.tenant();
  });

  afterAll(() => service.dispose());

  const open = async (): Promise<Socket> => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return socket;
  };

  /** Opens a connection with an unfinished request: its body is one byte short. */
  const openBusyConnection = async (): Promise<Socket> => {
    const socket = await open();
    const head = ['POST /v1/tickets HTTP/1.1', 'Host: x', `Authorization: Bearer ${tenant.key}`];
    const body = ['Content-Type: application/json', 'Content-Length: 2', 'Expect: 100-continue'];
    socket.write([...head, ...body, '', '{'].join('\r\n'));
    await once(socket, 'readable');
    return socket;
  };

  it('answers further requests of busy connections with the documented error', async () => {
    const paths = ['/v1/tickets', '/operator/v1/tenants', '/nothing', '/health/live', '/metrics'];
    const sockets = await Promise.all(paths.map(() => openBusyConnection()));
    const stopped = service.stop();
    await until('no connection to be taken', () =>
      open().then(
        (socket) => socket.destroy() && false,
        () => true,
      ),
    );
    const answers = await Promise.all(
      sockets.map((socket, i) => {
        socket.write(`}GET ${paths[i] ?? ''} HTTP/1.1\r\nHost: x\r\n\r\n`);
        return text(socket);
      }),
    );
    for (const answer of answers) {
      const [, goesOn = '', begun = '', late = ''] = answer.split('HTTP/1.1 ');
      expect(goesOn).toMatch(/^100 /);
      // The unfinished request is answered.
      expect(begun).toMatch(/^400 /);
      const [head = '', body = ''] = late.split('\r\n\r\n');
      expect(head).toMatch(/^503 /);
      expect(head).toMatch(/^connection: close$/im);
      expect(head).toMatch(/^retry-after: \d+$/im);
      const { error } = JSON.parse(body) as { error: Record<string, unknown> };
      expect(error).toMatchObject({ type: 'api_error', code: 'service_unavailable' });
      expect(head).toContain(`x-request-id: ${String(error['request_id'])}`);
    }
    await stopped;
  });
});
