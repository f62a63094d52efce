import { type Api, type Answer } from '../support/api';
import { resolved } from '../support/contract';
import { RunningService, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

interface Example {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
}

/** Refused for what they are about, not for what they hold. */
const REFUSED: Readonly<Record<string, string>> = {
  // Roles of analysts are roles of a PostgreSQL server, which the embedded one is not.
  'POST /operator/v1/analysts': 'analysts_need_postgresql',
  // No listener runs at the address of the example.
  'POST /operator/v1/local_listeners': 'url_not_allowed',
  // This service makes and keeps its master key itself, and takes no file with one.
  'POST /operator/v1/master_key/rotate': 'parameter_invalid',
};

/**
 * Whoever begins with the API reference sends its examples. Each is sent here as it is, but for ids.
 */
describe('examples of requests', () => {
  let service: RunningService;
  let tenant: TestTenant;
  let live: TestTenant;
  let document: Json;
  let examples: Example[];
  let destination: string;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
    live = await service.keyOf(tenant.id, 'live');
    document = (await tenant.api.get('/openapi.json')).ok;
    // The console's operations take a session instead of a key (console-sessions.spec.ts), and a backup
    // writes to the directory that is named (backup.spec.ts).
    examples = examplesOf(document).filter(
      ({ path }) => !path.startsWith('/console/') && path !== '/operator/v1/store/backup',
    );
    const monthly = { amount: 1000, currency: 'USD', interval: 'month' };
    for (const { api } of [tenant, live]) {
      for (const plan of ['basic', 'pro']) {
        (await api.put(`/v1/plans/${plan}`, { name: plan, ...monthly })).expect(200);
      }
    }
    const webhook = { type: 'https_webhook', url: 'https://example.com/webhooks' };
    destination = idOf(await tenant.api.post('/v1/destinations', webhook));
  });

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

  /** In live: the provider's answer is awaited there, in test environments it comes at once. */
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

  /** Something new of each kind: what one example does is not in the way of another. */
  const makers: Readonly<Record<string, () => Promise<string>>> = {
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
    subscriber_id: subscriber,
    destination_id: () => Promise.resolve(destination),
    event_id: event,
  };

  /** Where any object of the kind would not do: it has to be in the state that the call is about. */
  const special: Readonly<Record<string, typeof makers>> = {
    'POST /v1/subscriptions/{subscriptionId}/resume': { subscriptionId: paused },
    'POST /v1/payments/{paymentId}/attempts': { paymentId: () => payment('pm_test_pending') },
    'POST /v1/motions/{motionId}/trigger': {
      motionId: () => motion(true),
      subscriber_id: async () => (await subscribed()).subscriberId,
    },
  };

  const send = async ({ method, path, type, body }: Example): Promise<Answer> => {
    const makerOf = (name: string) => special[`${method} ${path}`]?.[name] ?? makers[name];
    let url = path;
    for (const [whole, name] of path.matchAll(/\{(\w+)\}/g)) {
      const make = makerOf(name!);
      if (make === undefined) throw new Error(`no maker of ${name!}`);
      url = url.replace(whole, await make());
    }
    const own = path.includes('{refundId}') ? live.api : tenant.api;
    const api: Api = path.startsWith('/operator/') ? service.operator : own;
    if (typeof body === 'string') {
      return api.send(method, url, { body, headers: { 'content-type': type } });
    }
    const filled: Json = { ...(body as Json) };
    for (const name of Object.keys(filled)) {
      const make = makerOf(name);
      if (make !== undefined) filled[name] = await make();
    }
    return api.send(method, url, { body: filled });
  };

  it('are all taken by the service', async () => {
    const failures: string[] = [];
    for (const example of examples) {
      const name = `${example.method} ${example.path}`;
      const { status, body } = await send(example);
      const error = body['error'] as Json | undefined;
      if (status < 300 || (error !== undefined && REFUSED[name] === error['code'])) continue;
      failures.push(`${name} ${JSON.stringify(example.body)}: ${status} ${JSON.stringify(error)}`);
    }
    expect(failures).toEqual([]);
    expect(examples.length).toBeGreaterThan(40);
  });

  it('of replays do not age: they have the month before this one', () => {
    const { body } = examples.find(({ path }) => path === '/v1/replay')!;
    const { from, to } = body as { from: string; to: string };
    const now = new Date();
    const startOf = (months: number): string =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString();
    expect([from, to]).toEqual([startOf(-1), startOf(0)]);
  });

  it('are of no optional header: the page of the reference would send it with every call', () => {
    const withExample = parametersOf(document).filter(
      ({ in: place, example, schema }) =>
        place === 'header' && (example ?? (schema as Json)['example']) !== undefined,
    );
    expect(withExample).toEqual([]);
  });

  it('imports every line of its example', async () => {
    const example = examples.find(({ type }) => type === 'application/x-ndjson')!;
    const id = (await send(example)).expect(202)['id'] as string;
    const done = await until('the import', async () => {
      const state = (await tenant.api.get(`/v1/imports/${id}`)).ok;
      return state['finished_at'] === null ? null : state;
    });
    expect(done).toMatchObject({ status: 'completed', lines_ok: 3 });
  });
});

const idOf = (answer: Answer): string => String(answer.created['id']);

const parametersOf = (document: Json): Json[] =>
  Object.values(document['paths'] as Record<string, Json>)
    .flatMap((methods) => Object.values(methods as Record<string, Json>))
    .flatMap((operation) => (operation['parameters'] ?? []) as Json[])
    .map((parameter) => resolved(document, parameter));

/** The example of each body that an operation takes. */
const examplesOf = (document: Json): Example[] =>
  Object.entries(document['paths'] as Record<string, Json>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Json>).flatMap(([method, operation]) => {
      const { content = {} } = (operation['requestBody'] ?? {}) as {
        content?: Record<string, { example?: unknown; schema: Json }>;
      };
      return Object.entries(content).map(([type, { example, schema }]) => ({
        method: method.toUpperCase(),
        path,
        type,
        body: example ?? schema['example'],
      }));
    }),
  );
