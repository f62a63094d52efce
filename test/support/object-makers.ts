import type { Answer } from './api';
import type { RunningService, TestTenant } from './service';

const HOUR_MS = 3_600_000;

/** Returns the time that is so many milliseconds from now. */
const getTimeAfter = (ms: number): string => new Date(Date.now() + ms).toISOString();

export const readId = (answer: Answer): string => String(answer.created['id']);

type Makers = Readonly<Record<string, () => Promise<string>>>;

/** The tenant and the service to which the created objects belong. */
export interface ObjectOwner {
  readonly service: RunningService;
  /** The tenant with a key of the test environment. */
  readonly tenant: TestTenant;
  /** The same tenant with a key of the live environment. */
  readonly live: TestTenant;
  /** A destination of the test environment. */
  readonly destination: string;
}

/** Creates a tenant with two plans in each environment, and a destination. */
export const createObjectOwner = async (service: RunningService): Promise<ObjectOwner> => {
  const tenant = await service.tenant();
  const live = await service.createKey(tenant.id, 'live');
  const monthly = { amount: 1000, currency: 'USD', interval: 'month' };
  for (const { api } of [tenant, live]) {
    for (const plan of ['basic', 'pro']) {
      (await api.put(`/v1/plans/${plan}`, { name: plan, ...monthly })).expect(200);
    }
  }
  const webhook = { type: 'https_webhook', url: 'https://example.com/webhooks' };
  const destination = readId(await tenant.api.post('/v1/destinations', webhook));
  return { service, tenant, live, destination };
};

/**
 * Returns a function that finds, for an operation and the name of a parameter or a field, the
 * function that creates an object for it. Each call creates a new object, so operations do not
 * affect each other.
 */
export const createObjectMakers = ({
  service,
  tenant,
  live,
  destination,
}: ObjectOwner): ((operation: string, name: string) => (() => Promise<string>) | undefined) => {
  const createSubscriber = async ({ api }: TestTenant = tenant): Promise<string> =>
    readId(await api.post('/v1/subscribers', { email: 'reader@example.com' }));

  const createSubscribed = async (
    method = 'pm_test_ok',
    of = tenant,
  ): Promise<{ id: string; subscriberId: string }> => {
    const subscriberId = await createSubscriber(of);
    const body = { subscriber_id: subscriberId, plan: 'basic', payment_method: method };
    return { subscriberId, id: readId(await of.api.post('/v1/subscriptions', body)) };
  };

  const createPayment = async (method: string, of = tenant): Promise<string> => {
    const { subscriberId } = await createSubscribed(method, of);
    const found = await of.api.get(`/v1/payments?subscriber_id=${subscriberId}`);
    return String(found.data[0]!['id']);
  };

  /**
   * Creates a refund in live, where it waits for the provider's response. In test environments the
   * response comes at once.
   */
  const refund = async (): Promise<string> => {
    const path = `/v1/payments/${await createPayment('cus_1', live)}`;
    (await live.api.post(`${path}/attempts`, { outcome: 'succeeded' })).expect(200);
    return readId(await live.api.post(`${path}/refunds`, { reason: 'other' }));
  };

  const createMotion = async (activate: boolean): Promise<string> => {
    const offer = { type: 'pause', days: 30 };
    const terms = { name: 'Save', kind: 'cancel_save', offer };
    const id = readId(await tenant.api.post('/v1/motions', terms));
    if (activate) (await tenant.api.post(`/v1/motions/${id}/activate`)).expect(200);
    return id;
  };

  const run = async (): Promise<string> => {
    const { subscriberId } = await createSubscribed();
    const path = `/v1/motions/${await createMotion(true)}/trigger`;
    const answer = await tenant.api.post(path, { subscriber_id: subscriberId });
    return String(answer.expect(202)['id']);
  };

  const createPaused = async (): Promise<string> => {
    const { id } = await createSubscribed();
    const pause = { effective: 'immediately' };
    (await tenant.api.post(`/v1/subscriptions/${id}/pause`, pause)).expect(200);
    return id;
  };

  const createEvent = async (): Promise<string> => {
    await createSubscriber();
    return String((await tenant.api.get('/v1/events?limit=1')).data[0]!['id']);
  };

  /** Creates a new object of each kind, so that examples do not affect each other. */
  const makers: Makers = {
    tenantId: () => Promise.resolve(tenant.id),
    keyId: async () => {
      const issue = { environment: 'test', name: 'tests' };
      return readId(
        await service.operator.post(`/operator/v1/tenants/${tenant.id}/api-keys`, issue),
      );
    },
    tokenId: async () =>
      readId(await service.operator.post('/operator/v1/operator_tokens', { name: 'tests' })),
    destinationId: () => Promise.resolve(destination),
    planId: () => Promise.resolve('pro'),
    subscriberId: createSubscriber,
    subscriptionId: async () => (await createSubscribed()).id,
    ticketId: async () => {
      const ticket = { subscriber_id: await createSubscriber(), topic: 'other' };
      return readId(await tenant.api.post('/v1/tickets', ticket));
    },
    paymentId: () => createPayment('pm_test_ok'),
    refundId: refund,
    clockId: async () => {
      const frozen = { frozen_time: '2026-01-31T00:00:00Z' };
      return readId(await tenant.api.post('/v1/test_helpers/clocks', frozen));
    },
    cohortId: async () =>
      readId(await tenant.api.post('/v1/cohorts', { name: 'All', definition: {} })),
    motionId: () => createMotion(false),
    runId: run,
    creditId: async () => {
      const credit = { amount: 100, currency: 'USD' };
      return readId(
        await tenant.api.post(`/v1/subscribers/${await createSubscriber()}/credits`, credit),
      );
    },
    importId: async () => {
      const lines = [{ kind: 'subscriber', external_id: 'reader', email: 'reader@example.com' }];
      return String((await tenant.api.post('/v1/imports', { lines })).expect(202)['id']);
    },
    replay_id: async () => {
      const window = { from: getTimeAfter(-HOUR_MS), to: getTimeAfter(0) };
      const job = { destination_id: destination, ...window };
      return String((await tenant.api.post('/v1/replay', job)).expect(202)['replay_id']);
    },
    eventId: createEvent,
    subscriber_id: createSubscriber,
    destination_id: () => Promise.resolve(destination),
    event_id: createEvent,
  };

  /** Creates objects in the state that a call needs, if not any object of the kind will do. */
  const special: Readonly<Record<string, Makers>> = {
    // A suspended tenant would refuse all later calls.
    'POST /operator/v1/tenants/{tenantId}/suspend': {
      tenantId: async () => (await service.tenant()).id,
    },
    'POST /v1/subscriptions/{subscriptionId}/resume': { subscriptionId: createPaused },
    'POST /v1/payments/{paymentId}/attempts': { paymentId: () => createPayment('pm_test_pending') },
    'POST /v1/motions/{motionId}/trigger': {
      motionId: () => createMotion(true),
      subscriber_id: async () => (await createSubscribed()).subscriberId,
    },
  };

  return (operation, name) => special[operation]?.[name] ?? makers[name];
};
