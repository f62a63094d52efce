import { Service } from '../support/service';

describe('a process without the role api', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start({ env: { ROLES: 'projector,dispatcher,replayer,timers' } });
  });

  afterAll(() => service.dispose());

  const call = async (method: string, path: string): Promise<[number, string]> => {
    const headers = { authorization: `Bearer ${service.operatorToken}` };
    const answer = await fetch(`${service.url}${path}`, { method, headers });
    return [answer.status, await answer.text()];
  };

  it.each(['/health/live', '/health/ready', '/metrics'])('answers %s', async (path) => {
    expect((await call('GET', path))[0]).toBe(200);
  });

  it.each([
    ['POST', '/v1/subscribers'],
    ['GET', '/v1/plans?limit=1'],
    ['GET', '/operator/v1/tenants'],
    ['POST', '/operator/v1/tenants'],
    ['GET', '/docs'],
    ['GET', '/openapi.json'],
    ['GET', '/metricsx'],
  ])('does not serve %s %s', async (method, path) => {
    expect(await call(method, path)).toEqual([404, expect.stringContaining('route_not_found')]);
  });
});
