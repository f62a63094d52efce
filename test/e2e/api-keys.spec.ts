import { request } from 'node:http';
import { databases } from '../support/databases';
import { RunningService, type SharedService, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

describe.each(databases)('API keys, on $name SQL', (database) => {
  let service: SharedService;
  let tenant: TestTenant;
  let path: string;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    path = `/operator/v1/tenants/${tenant.id}/api-keys`;
  });

  const issue = async (fields: Json = {}): Promise<{ id: string; key: string } & Json> => {
    const body = { environment: 'test', name: 'tests', ...fields };
    const { created } = await service.operator.post(path, body);
    return { ...created, id: created['id'] as string, key: created['key'] as string };
  };

  const findListed = async (id: string): Promise<Json> => {
    const { data } = await service.operator.get(`${path}?limit=100`);
    const found = data.find((each) => each['id'] === id);
    if (found === undefined) throw new Error('the key is not listed');
    return found;
  };

  /** Returns `[status, code]` of a call from an address of this machine. */
  const callFrom = (
    localAddress: string,
    key: string,
    headers: Record<string, string> = {},
  ): Promise<[number | undefined, unknown]> =>
    new Promise((resolve, reject) => {
      const call = request(
        `${service.url}/v1/plans`,
        { localAddress, headers: { authorization: `Bearer ${key}`, ...headers } },
        (response) => {
          let text = '';
          response.on('data', (part: Buffer) => (text += part.toString()));
          response.on('end', () => {
            const { error } = JSON.parse(text) as { error?: Json };
            resolve([response.statusCode, error?.['code']]);
          });
        },
      );
      call.on('error', reject);
      call.end();
    });

  it('show when they were last used, also after a restart', async () => {
    const { id, key, last_used_at: unused } = await issue();
    expect(unused).toBeNull();
    expect(await findListed(id)).toMatchObject({ last_used_at: null });
    const before = Date.now();
    (await service.createApi(key).get('/v1/plans')).expect(200);
    const used = await until('its use to be noted', async () => {
      const { last_used_at: at } = await findListed(id);
      return at as string | null;
    });
    expect(Date.parse(used)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(used)).toBeLessThanOrEqual(Date.now());
    await service.kill();
    await service.run();
    expect(await findListed(id)).toMatchObject({ last_used_at: used });
    const revoked = (await service.operator.delete(`${path}/${id}`)).ok;
    expect(revoked).toMatchObject({ last_used_at: used });
  });

  it('do not count a refused call as a use', async () => {
    const { id, key } = await issue({ allowed_ips: ['192.0.2.1'] });
    const other = await issue();
    expect((await service.createApi(key).get('/v1/plans')).refusal[0]).toBe(403);
    (await service.createApi(other.key).get('/v1/plans')).expect(200);
    await until('the use of the other', async () => (await findListed(other.id))['last_used_at']);
    expect(await findListed(id)).toMatchObject({ last_used_at: null });
  });

  it('are restricted to their IP addresses, whatever the headers of the call say', async () => {
    const { key, allowed_ips } = await issue({ allowed_ips: ['127.0.0.2/31', '2001:db8::/32'] });
    expect(allowed_ips).toEqual(['127.0.0.2/31', '2001:db8::/32']);
    expect(await callFrom('127.0.0.2', key)).toEqual([200, undefined]);
    expect(await callFrom('127.0.0.3', key)).toEqual([200, undefined]);
    expect(await callFrom('127.0.0.1', key)).toEqual([403, 'ip_not_allowed']);
    const forged = { 'x-forwarded-for': '127.0.0.2', forwarded: 'for=127.0.0.2' };
    expect(await callFrom('127.0.0.1', key, forged)).toEqual([403, 'ip_not_allowed']);
    // A wrong key does not reveal the address list.
    expect(await callFrom('127.0.0.1', `${key.slice(0, -1)}!`)).toEqual([401, 'api_key_invalid']);
    expect((await issue())['allowed_ips']).toBeNull();
  });

  it('keep their IP addresses when they are rotated', async () => {
    const { id } = await issue({ allowed_ips: ['127.0.0.2'] });
    const rotated = (await service.operator.post(`${path}/${id}/rotate`, {})).created;
    expect(rotated).toMatchObject({ allowed_ips: ['127.0.0.2'], last_used_at: null });
    const key = rotated['key'] as string;
    expect(await callFrom('127.0.0.1', key)).toEqual([403, 'ip_not_allowed']);
    expect(await callFrom('127.0.0.2', key)).toEqual([200, undefined]);
    expect(await findListed(rotated['id'] as string)).toMatchObject({ allowed_ips: ['127.0.0.2'] });
  });

  it('give their successor the end that the rotation names, and else none', async () => {
    const expires_at = '2099-01-31T00:00:00.000Z';
    const { id } = await issue({ expires_at: '2098-01-31T00:00:00Z' });
    const rotate = (body: Json) => service.operator.post(`${path}/${id}/rotate`, body);
    expect((await rotate({ expires_at })).created).toMatchObject({ expires_at });
    expect((await rotate({})).created).toMatchObject({ expires_at: null });
    const refused = [400, 'parameter_invalid', 'expires_at'];
    expect((await rotate({ expires_at: '2020-01-31T00:00:00Z' })).refusal).toEqual(refused);
  });

  it('stay valid beside their successor for the requested time, which may be a fraction of an hour', async () => {
    const { id } = await issue();
    const before = Date.now();
    (await service.operator.post(`${path}/${id}/rotate`, { overlap_hours: 1.5 })).expect(201);
    const lasts = Date.parse((await findListed(id))['expires_at'] as string) - before;
    expect(lasts).toBeGreaterThanOrEqual(5_400_000);
    expect(lasts).toBeLessThan(5_430_000);
    for (const overlap_hours of [-0.5, 168.1, '1.5', null]) {
      const answer = await service.operator.post(`${path}/${id}/rotate`, { overlap_hours });
      expect(answer.refusal).toEqual([400, 'parameter_invalid', 'overlap_hours']);
    }
  });

  it('refuse invalid address lists', async () => {
    const readRefusal = async (allowed_ips: unknown): Promise<unknown[]> => {
      const body = { environment: 'test', name: 'tests', allowed_ips };
      return (await service.operator.post(path, body)).refusal;
    };
    const invalid = [400, 'parameter_invalid'];
    expect(await readRefusal(['10.0.0.0/8', 'here'])).toEqual([...invalid, 'allowed_ips[1]']);
    expect(await readRefusal([])).toEqual([...invalid, 'allowed_ips']);
    expect(await readRefusal('10.0.0.1')).toEqual([...invalid, 'allowed_ips']);
    const many = Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`);
    expect(await readRefusal(many)).toEqual([...invalid, 'allowed_ips']);
    expect((await issue({ allowed_ips: many.slice(1) }))['allowed_ips']).toHaveLength(100);
  });

  it('accept only scopes of their environment and an expiry in the future', async () => {
    const readRefusal = async (fields: Json): Promise<unknown[]> => {
      const body = { environment: 'test', name: 'tests', ...fields };
      return (await service.operator.post(path, body)).refusal;
    };
    const invalid = [400, 'parameter_invalid'];
    expect(await readRefusal({ scopes: [] })).toEqual([...invalid, 'scopes']);
    expect(await readRefusal({ scopes: ['nonsense:read'] })).toEqual([...invalid, 'scopes']);
    const helpers = { scopes: ['events:read', 'test_helpers:write'] };
    expect(await readRefusal({ ...helpers, environment: 'live' })).toEqual([...invalid, 'scopes']);
    expect((await issue(helpers))['scopes']).toEqual(helpers.scopes);
    expect((await issue())['scopes']).toContain('test_helpers:write');
    const live = await issue({ environment: 'live' });
    expect(live['scopes']).not.toContain('test_helpers:write');
    // The error is about the key's environment, not its scopes.
    const clock = { frozen_time: '2026-01-01T00:00:00Z' };
    const helped = await service.createApi(live.key).post('/v1/test_helpers/clocks', clock);
    expect(helped.refusal.slice(0, 2)).toEqual([403, 'test_helpers_live_forbidden']);

    const past = new Date(Date.now() - 1_000).toISOString();
    expect(await readRefusal({ expires_at: past })).toEqual([...invalid, 'expires_at']);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await issue({ expires_at: soon })).toMatchObject({ expires_at: soon });
  });

  it('are found only under their tenant, which must exist', async () => {
    const { id } = await issue();
    const keys = '/operator/v1/tenants/tnt_0000000000000000/api-keys';
    const missing = [404, 'resource_not_found'];
    const { operator } = service;
    expect((await operator.post(`${keys}/${id}/rotate`, {})).refusal).toEqual([
      ...missing,
      'tenantId',
    ]);
    expect((await operator.delete(`${keys}/${id}`)).refusal).toEqual([...missing, 'tenantId']);
    expect((await operator.delete(`${path}/rk_none`)).refusal).toEqual([...missing, 'keyId']);
  });

  it.each([
    ['revoked', (id: string) => service.operator.delete(`${path}/${id}`)],
    [
      'expired',
      (id: string) => service.operator.post(`${path}/${id}/rotate`, { overlap_hours: 0 }),
    ],
  ])('cannot be rotated once they are %s', async (status, end) => {
    const { id } = await issue();
    await end(id);
    const answer = await service.operator.post(`${path}/${id}/rotate`, {});
    expect(answer.refusal[1]).toBe('invalid_state_transition');
    expect(answer.expect(409)['error']).toMatchObject({ details: { current_status: status } });
  });
});
