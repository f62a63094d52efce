import { RunningService, type TestTenant } from '../support/service';

let service: RunningService;
let tenant: TestTenant;

beforeAll(async () => {
  service = await RunningService.shared();
  tenant = await service.tenant();
});

const readMessage = (body: Record<string, unknown>): string =>
  (body['error'] as { message: string }).message;

describe('messages of errors', () => {
  it('describe the form of an e-mail address', async () => {
    const { body } = await tenant.api.post('/v1/subscribers', { email: 'ada' });
    expect(readMessage(body)).toBe('email must be an e-mail address, such as ada@example.com.');
  });

  it('show no regular expression', async () => {
    const { body } = await service.operator.post('/operator/v1/analysts', { name: 'Ada!' });
    expect(readMessage(body)).toContain('name must begin with a letter');
    expect(readMessage(body)).not.toContain('/');
  });

  it('list the existing scopes', async () => {
    const key = { environment: 'test', name: 'k', scopes: ['subscribers:reed'] };
    const { body } = await service.operator.post(`/operator/v1/tenants/${tenant.id}/api-keys`, key);
    expect(readMessage(body)).toContain('subscribers:read, subscribers:write');
  });

  it('refuse a currency for a metric that is not an amount of money', async () => {
    const refused = await tenant.api.get('/v1/metrics/active_subscribers?currency=EUR');
    expect(refused.refusal).toEqual([400, 'parameter_unknown', 'currency']);
    (await tenant.api.get('/v1/metrics/mrr?currency=EUR')).expect(200);
  });
});

it('the answer to the trigger of a motion has the location of its run', async () => {
  const monthly = { name: 'Pro', amount: 1000, currency: 'USD', interval: 'month' };
  (await tenant.api.put('/v1/plans/pro', monthly)).expect(200);
  const { id } = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
  const subscription = { subscriber_id: id, plan: 'pro', payment_method: 'pm_test_ok' };
  (await tenant.api.post('/v1/subscriptions', subscription)).expect(201);
  const terms = { name: 'Save', kind: 'cancel_save', offer: { type: 'pause', days: 30 } };
  const motion = (await tenant.api.post('/v1/motions', terms)).created;
  const path = `/v1/motions/${String(motion['id'])}`;
  (await tenant.api.post(`${path}/activate`)).expect(200);
  const triggered = await tenant.api.post(`${path}/trigger`, { subscriber_id: id });
  const run = (await tenant.api.get(triggered.headers.get('location')!)).ok;
  expect(run['id']).toBe(triggered.expect(202)['id']);
});
