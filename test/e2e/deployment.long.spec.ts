import { connect } from 'node:net';
import { sendRaw } from '../support/raw-request';
import { Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

const METRICS_TOKEN = 'a-token-for-the-monitoring';
const CONNECTIONS_MAX = 40;
/** The connections that a test opens beyond the limit. */
const EXCESS = 60;

describe('a service behind a trusted proxy', () => {
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    const env = { TRUSTED_PROXIES: '127.0.0.0/8', CONNECTIONS_MAX: String(CONNECTIONS_MAX) };
    service = await Service.start({ env: { ...env, METRICS_TOKEN } });
    tenant = await service.tenant();
  });

  afterAll(() => service.dispose());

  it("compares a key's addresses with the right-most address that is not a proxy", async () => {
    const body = { environment: 'test', name: 'office', allowed_ips: ['203.0.113.9'] };
    const path = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const credential = (await service.operator.post(path, body)).created['key'] as string;
    const readStatusFrom = async (forwarded: string): Promise<number> => {
      const headers = { 'x-forwarded-for': forwarded };
      const request = { method: 'GET', target: '/v1/events', credential, headers };
      return (await sendRaw(service.url, request)).status;
    };
    expect(await readStatusFrom('203.0.113.9')).toBe(200);
    expect(await readStatusFrom('198.51.100.1, 203.0.113.9, 127.0.0.2')).toBe(200);
    expect(await readStatusFrom('203.0.113.9, 198.51.100.1')).toBe(403);
    expect(await readStatusFrom('')).toBe(403);
  });

  const readStatus = async (target: string, credential: string | null): Promise<number> =>
    (await sendRaw(service.url, { method: 'GET', target, credential })).status;

  it('shows metrics to holders of the token, and health to everybody', async () => {
    expect(await readStatus('/metrics', null)).toBe(401);
    expect(await readStatus('/metrics', service.operatorToken)).toBe(401);
    expect(await readStatus('/metrics', METRICS_TOKEN)).toBe(200);
    expect(await readStatus('/health/ready', null)).toBe(200);
  });

  it('closes connections beyond CONNECTIONS_MAX, and answers when there are fewer again', async () => {
    const { hostname, port } = new URL(service.url);
    let closed = 0;
    const sockets = Array.from({ length: CONNECTIONS_MAX + EXCESS }, () =>
      connect(Number(port), hostname)
        .on('error', () => undefined)
        .on('close', () => (closed += 1)),
    );
    await until('the excess to be closed', () => closed >= EXCESS);
    for (const socket of sockets) socket.destroy();
    await until('an answer', async () => {
      return (await readStatus('/health/ready', null).catch(() => 0)) === 200;
    });
  });

  it('warns each time that insecure destinations are allowed', async () => {
    const warning =
      'ALLOW_INSECURE_DESTINATIONS is on: destinations may be plain HTTP and in private networks. Do not use it in production.';
    await until('the warning', () => service.listLogLines(warning).length === 1);
    await service.stop();
    await service.run();
    await until('the second warning', () => service.listLogLines(warning).length === 2);
  });
});
