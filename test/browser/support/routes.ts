import type { TestTenant } from '../../support/service';
import type { OperatorPagePath, TenantPagePath } from '../../../packages/console/src/rights';
import { makePlans } from './people';

/** One object of each kind to which nothing has happened yet. */
export interface Bare {
  readonly tenantId: string;
  readonly destinationId: string;
  readonly subscriberId: string;
  readonly eventId: string;
  readonly replayId: string;
  readonly ticketId: string;
  readonly cohortId: string;
  readonly motionId: string;
}

/** An example of a route. */
export interface Example {
  readonly path: (bare: Bare) => string;
  /** True for pages that show an empty state to a tenant without data. */
  readonly isEmptyAtFirst?: true;
  /** True for forms that can be filled before anything is loaded. */
  readonly loadsNothing?: true;
}

const at = (path: string, more: Omit<Example, 'path'> = {}): Example => ({
  path: () => path,
  ...more,
});

const emptyAt = (path: string): Example => at(path, { isEmptyAtFirst: true });

/** An example of each page of a tenant. A page without one does not compile. */
export const TENANT_EXAMPLES: Readonly<Record<TenantPagePath, Example>> = {
  '': at(''),
  '/search': emptyAt('/search?q=nobody%40example.com'),
  '/destinations': emptyAt('/destinations'),
  '/destinations/new': at('/destinations/new', { loadsNothing: true }),
  '/destinations/:id': { path: ({ destinationId }) => `/destinations/${destinationId}` },
  '/deliveries': emptyAt('/deliveries'),
  '/events': emptyAt('/events'),
  '/events/:id': { path: ({ eventId }) => `/events/${eventId}` },
  '/catalogue': at('/catalogue'),
  '/replays': emptyAt('/replays'),
  '/replays/new': emptyAt('/replays/new'),
  '/replays/:id': { path: ({ replayId }) => `/replays/${replayId}` },
  '/subscribers': emptyAt('/subscribers'),
  '/subscribers/:id': { path: ({ subscriberId }) => `/subscribers/${subscriberId}` },
  '/tickets': emptyAt('/tickets'),
  '/tickets/:id': { path: ({ ticketId }) => `/tickets/${ticketId}` },
  '/metrics': emptyAt('/metrics'),
  '/metrics/:metric': emptyAt('/metrics/mrr'),
  '/cohorts': emptyAt('/cohorts'),
  '/cohorts/new': at('/cohorts/new'),
  '/cohorts/:id': { path: ({ cohortId }) => `/cohorts/${cohortId}` },
  '/motions': emptyAt('/motions'),
  '/motions/new': at('/motions/new'),
  '/motions/:id': { path: ({ motionId }) => `/motions/${motionId}` },
  '/api-keys': at('/api-keys'),
  '/settings': emptyAt('/settings'),
};

/** An example of each page of operators. */
export const OPERATOR_EXAMPLES: Readonly<Record<OperatorPagePath, Example>> = {
  '': at(''),
  '/tenants': emptyAt('/tenants'),
  '/tenants/:id': { path: ({ tenantId }) => `/tenants/${tenantId}` },
  '/usage': emptyAt('/usage'),
  '/analysts': emptyAt('/analysts'),
  '/jobs': emptyAt('/jobs'),
  '/search': emptyAt('/search?q=nobody%40example.com'),
  '/audit-log': at('/audit-log'),
  '/sessions': at('/sessions'),
};

/** Makes the objects of the examples. The destination receives nothing of what happened before. */
export const makeBare = async (tenant: TestTenant, url: string): Promise<Bare> => {
  const { api, id: tenantId } = tenant;
  const create = async (path: string, body: unknown): Promise<string> =>
    String((await api.post(path, body)).created['id']);
  await makePlans(tenant);
  const subscriberId = await create('/v1/subscribers', { email: 'ada@example.com' });
  const ticket = { subscriber_id: subscriberId, topic: 'other', subject: 'Where is my copy?' };
  const ticketId = await create('/v1/tickets', ticket);
  const cohortId = await create('/v1/cohorts', {
    name: 'Nobody',
    definition: { plan_ids: ['pro'] },
  });
  const motionId = await create('/v1/motions', { name: 'Draft', kind: 'announcement' });
  const [event] = (await api.get('/v1/events?limit=1')).data;
  const destinationId = await create('/v1/destinations', { type: 'https_webhook', url });
  const replay = await api.post('/v1/replay', {
    destination_id: destinationId,
    from: new Date(Date.now() - 120_000).toISOString(),
    to: new Date(Date.now() - 60_000).toISOString(),
  });
  return {
    ...{ tenantId, destinationId, subscriberId, ticketId, cohortId, motionId },
    eventId: String(event?.['id']),
    replayId: String(replay.expect(202)['replay_id']),
  };
};
