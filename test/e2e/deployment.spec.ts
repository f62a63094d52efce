import { sendRaw } from '../support/raw-request';
import { Service, type TestTenant } from '../support/service';

const METRICS_TOKEN = 'a-token-for-the-monitoring';

describe('a service behind a trusted proxy', () => {
  let service: Service;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await Service.start({ env: { TRUSTED_PROXIES: '127.0.0.0/8', METRICS_TOKEN } });
    tenant = await service.tenant();
  });

  afterAll(() => service.dispose());

  it("compares a key's addresses with the right-most address that is not a proxy", async () => {
    const body = { environment: 'test', name: 'office', allowed_ips: ['203.0.113.9'] };
    const path = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const credential = (await service.operator.post(path, body)).created['key'] as string;
    const statusFrom = async (forwarded: string): Promise<number> => {
      const headers = { 'x-forwarded-for': forwarded };
      const request = { method: 'GET', target: '/v1/events', credential, headers };
      return (await sendRaw(service.url, request)).status;
    };
    expect(await statusFrom('203.0.113.9')).toBe(200);
    expect(await statusFrom('198.51.100.1, 203.0.113.9, 127.0.0.2')).toBe(200);
    expect(await statusFrom('203.0.113.9, 198.51.100.1')).toBe(403);
    expect(await statusFrom('')).toBe(403);
  });

  it('shows metrics to holders of the token, and health to everybody', async () => {
    const statusOf = async (target: string, credential: string | null): Promise<number> =>
      (await sendRaw(service.url, { method: 'GET', target, credential })).status;
    expect(await statusOf('/metrics', null)).toBe(401);
    expect(await statusOf('/metrics', service.operatorToken)).toBe(401);
    expect(await statusOf('/metrics', METRICS_TOKEN)).toBe(200);
    expect(await statusOf('/health/ready', null)).toBe(200);
  });

  it.each(['/v1/subscribers', '/v1/plans', '/v1/destinations', '/operator/v1/tenants'])(
    'answers 400 to NUL in a cursor of %s',
    async (list) => {
      const credential = list.startsWith('/operator') ? service.operatorToken : tenant.key;
      const forged = Buffer.from(JSON.stringify([1, '2026-01-01T00:00:00Z', 'x\u0000', 'x']));
      for (const cursor of [forged.toString('base64url'), '%00', 'a%00b']) {
        const target = `${list}?starting_after=${cursor}`;
        const answer = await sendRaw(service.url, { method: 'GET', target, credential });
        expect([target, answer.status]).toEqual([target, 400]);
      }
    },
  );
});
