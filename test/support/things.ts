import type { Answer } from './api';
import type { RunningService, TestTenant } from './service';

const HOUR_MS = 3_600_000;

/** Returns the time that is so many milliseconds from now. */
const isoAfter = (ms: number): string => new Date(Date.now() + ms).toISOString();

export const idOf = (answer: Answer): string => String(answer.created['id']);

type Makers = Readonly<Record<string, () => Promise<string>>>;

/** The tenant and the service to which the created objects belong. */
export interface World {
  readonly service: RunningService;
  /** The tenant with a key of the test environment. */
  readonly tenant: TestTenant;
  /** The same tenant with a key of the live environment. */
  readonly live: TestTenant;
  /** A destination of the test environment. */
  readonly destination: string;
}

/** Creates a tenant with two plans in each environment, and a destination. */
export const makeWorld = async (service: RunningService): Promise<World> => {
  const tenant = await service.tenant();
  const live = await service.keyOf(tenant.id, 'live');
  const monthly = { amount: 1000, currency: 'USD', interval: 'month' };
  for (const { api } of [tenant, live]) {
    for (const plan of ['basic', 'pro']) {
      (await api.put(`/v1/plans/${plan}`, { name: plan, ...monthly })).expect(200);
    }
  }
  const webhook = { type: 'https_webhook', url: 'https://example.com/webhooks' };
  const destination = idOf(await tenant.api.post('/v1/destinations', webhook));
  return { service, tenant, live, destination };
};

/**
 * Creates an object for each parameter of a path and each field that names one, so that operations
 * can be called. Each call creates new objects, so operations do not affect each other.
 */
export const thingsOf = ({
  service,
  tenant,
  live,
  destination,
}: World): ((operation: string, name: string) => (() => Promise<string>) | undefined) => {
  const subscriber = async ({ api }: TestTenant = tenant): Promise<string> =>
    idOf(await api.post('/v1/subscribers', { email: 'reader@example.com' }));

  const subscribed = async (
    method = 'pm_test_ok',
    of = tenant,
  ): Promise<{ id: string; subscriberId: string }> => {
    const subscriberId = await subscriber(of);
    const body = { subscriber_id: subscriberId, plan: 'basic', payment_method: method };
    return { subscriberId, id: idOf(await of.api.post('/v1/subscriptions', body)) };
  };

  const payment = async (method: string, of = tenant): Promise<string> => {
    const { subscriberId } = await subscribed(method, of);
    const found = await of.api.get(`/v1/payments?subscriber_id=${subscriberId}`);
    return String(found.data[0]!['id']);
  };

  /**
   * Creates a refund in live, where it waits for the provider's answer. In test environments the
   * answer comes at once.
   */
  const refund = async (): Promise<string> => {
    const path = `/v1/payments/${await payment('cus_1', live)}`;
    (await live.api.post(`${path}/attempts`, { outcome: 'succeeded' })).expect(200);
    return idOf(await live.api.post(`${path}/refunds`, { reason: 'other' }));
  };

  const motion = async (activate: boolean): Promise<string> => {
    const offer = { type: 'pause', days: 30 };
    const terms = { name: 'Save', kind: 'cancel_save', offer };
    const id = idOf(await tenant.api.post('/v1/motions', terms));
    if (activate) (await tenant.api.post(`/v1/motions/${id}/activate`)).expect(200);
    return id;
  };

  const run = async (): Promise<string> => {
    const { subscriberId } = await subscribed();
    const path = `/v1/motions/${await motion(true)}/trigger`;
    const answer = await tenant.api.post(path, { subscriber_id: subscriberId });
    return String(answer.expect(202)['id']);
  };

  const paused = async (): Promise<string> => {
    const { id } = await subscribed();
    const pause = { effective: 'immediately' };
    (await tenant.api.post(`/v1/subscriptions/${id}/pause`, pause)).expect(200);
    return id;
  };

  const event = async (): Promise<string> => {
    await subscriber();
    return String((await tenant.api.get('/v1/events?limit=1')).data[0]!['id']);
  };

  /** Creates a new object of each kind, so that examples do not affect each other. */
  const makers: Makers = {
    tenantId: () => Promise.resolve(tenant.id),
    keyId: async () => {
      const issue = { environment: 'test', name: 'tests' };
      return idOf(await service.operator.post(`/operator/v1/tenants/${tenant.id}/api-keys`, issue));
    },
    tokenId: async () =>
      idOf(await service.operator.post('/operator/v1/operator_tokens', { name: 'tests' })),
    destinationId: () => Promise.resolve(destination),
    planId: () => Promise.resolve('pro'),
    subscriberId: subscriber,
    subscriptionId: async () => (await subscribed()).id,
    ticketId: async () => {
      const ticket = { subscriber_id: await subscriber(), topic: 'other' };
      return idOf(await tenant.api.post('/v1/tickets', ticket));
    },
    paymentId: () => payment('pm_test_ok'),
    refundId: refund,
    clockId: async () => {
      const frozen = { frozen_time: '2026-01-31T00:00:00Z' };
      return idOf(await tenant.api.post('/v1/test_helpers/clocks', frozen));
    },
    cohortId: async () =>
      idOf(await tenant.api.post('/v1/cohorts', { name: 'All', definition: {} })),
    motionId: () => motion(false),
    runId: run,
    creditId: async () => {
      const credit = { amount: 100, currency: 'USD' };
      return idOf(await tenant.api.post(`/v1/subscribers/${await subscriber()}/credits`, credit));
    },
    importId: async () => {
      const lines = [{ kind: 'subscriber', external_id: 'reader', email: 'reader@example.com' }];
      return String((await tenant.api.post('/v1/imports', { lines })).expect(202)['id']);
    },
    replay_id: async () => {
      const window = { from: isoAfter(-HOUR_MS), to: isoAfter(0) };
      const job = { destination_id: destination, ...window };
      return String((await tenant.api.post('/v1/replay', job)).expect(202)['replay_id']);
    },
    eventId: event,
    subscriber_id: subscriber,
    destination_id: () => Promise.resolve(destination),
    event_id: event,
  };

  /** Creates objects in the state that a call needs, if not any object of the kind will do. */
  const special: Readonly<Record<string, Makers>> = {
    // A suspended tenant would refuse all later calls.
    'POST /operator/v1/tenants/{tenantId}/suspend': {
      tenantId: async () => (await service.tenant()).id,
    },
    'POST /v1/subscriptions/{subscriptionId}/resume': { subscriptionId: paused },
    'POST /v1/payments/{paymentId}/attempts': { paymentId: () => payment('pm_test_pending') },
    'POST /v1/motions/{motionId}/trigger': {
      motionId: () => motion(true),
      subscriber_id: async () => (await subscribed()).subscriberId,
    },
  };

  return (operation, name) => special[operation]?.[name] ?? makers[name];
};
