import { NearRoutes, suggestMethods } from './near-routes';

describe('the hint for an unknown path', () => {
  const routes = new NearRoutes();
  for (const url of [
    '/',
    '/v1/subscribers',
    '/v1/subscribers/:subscriberId',
    '/v1/subscribers/:subscriberId/timeline',
    '/v1/subscribers/:subscriberId/credits',
    '/v1/subscriptions',
    '/v1/metrics/retention',
    '/v1/metrics/:metric/definition',
    '/operator/v1/tenants/:tenantId/api-keys',
    '/console/*',
  ])
    routes.add(url);
  for (let i = 0; i < 12; i += 1) routes.add(`/v1/other_noun_${i}`);

  it.each([
    ['/v1/subscriber', '/v1/subscribers'],
    ['/v1/subcribers/sub_1', '/v1/subscribers/sub_1'],
    ['/v1/subscribers/sub_1/timelines', '/v1/subscribers/sub_1/timeline'],
    ['/V1/Subscriptions', '/v1/subscriptions'],
    ['/subscribers', '/v1/subscribers'],
    ['/api/v1/subscribers', '/v1/subscribers'],
    ['/api/subscribers', '/v1/subscribers'],
    ['/v1/v1/subscribers', '/v1/subscribers'],
    ['/v1/metrics/retention/definition', '/v1/metrics/retention/definition'],
    ['/operator/v1/tenants/tnt_1/api_keys', '/operator/v1/tenants/tnt_1/api-keys'],
  ])('names for %s the path %s', (path, meant) => {
    expect(routes.suggest(path)).toBe(` Did you mean ${meant}?`);
  });

  it('lists what may follow the known part of the path', () => {
    expect(routes.suggest('/v1/subscribers/sub_1/invoices')).toBe(
      ' The paths of /v1/subscribers/{subscriberId} are timeline, credits.',
    );
    expect(routes.suggest('/v1/metrics/mrr/x')).toBe(
      ' The only path of /v1/metrics/{metric} is definition.',
    );
  });

  it('points to the reference if the paths are many, and is empty if nothing is known', () => {
    expect(routes.suggest('/v1/invoices')).toBe(' The paths are listed at /docs.');
    expect(routes.suggest('/wp-admin')).toBe('');
    expect(routes.suggest('/metric')).toBe('');
    expect(routes.suggest('/')).toBe('');
  });
});

describe('the hint for a method that a path does not allow', () => {
  const routes = [
    ['GET', '/v1/plans'],
    ['PUT', '/v1/plans/:planId'],
    ['GET', '/v1/refunds'],
    ['POST', '/v1/payments/:paymentId/refunds'],
    ['POST', '/operator/v1/refunds'],
    ['GET', '/v1/subscriptions/:subscriptionId'],
    ['POST', '/v1/subscriptions/:subscriptionId/pause'],
    ['POST', '/v1/subscriptions/:subscriptionId/cancel'],
    ['GET', '/v1/payments/:paymentId'],
  ].map(([method = '', url = '']) => ({ method, url }));

  it.each([
    ['POST', '/v1/plans', ' See also PUT /v1/plans/{planId}.'],
    ['POST', '/v1/refunds', ' See also POST /v1/payments/{paymentId}/refunds.'],
    [
      'DELETE',
      '/v1/subscriptions/:subscriptionId',
      ' See also POST /v1/subscriptions/{subscriptionId}/pause, POST /v1/subscriptions/{subscriptionId}/cancel.',
    ],
    ['GET', '/v1/subscriptions/:subscriptionId/cancel', ''],
    [
      'POST',
      '/v1/payments',
      ' The service makes the payment when a subscription starts, renews or changes its plan: see POST /v1/subscriptions.',
    ],
  ])('names for %s %s where it works', (method, url, hint) => {
    expect(suggestMethods(routes, { method, url })).toBe(hint);
  });
});
