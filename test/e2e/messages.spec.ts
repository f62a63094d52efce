import { PERFORMANCE_NUMBERS } from '../../src/domain/motions/performance-numbers';
import { MotionPerformance } from '../../src/features/motions/motion.dto';
import { Api } from '../support/api';
import { RunningService, type TestTenant } from '../support/service';

type Json = Record<string, unknown>;

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

  it('describe a wrong value in words, without a regular expression', async () => {
    const { body } = await service.operator.post('/operator/v1/analysts', { name: 'Ada!' });
    expect(readMessage(body)).toContain('name must begin with a letter');
    expect(readMessage(body)).not.toContain('/');
  });

  it('list the existing scopes', async () => {
    const key = { environment: 'test', name: 'k', scopes: ['subscribers:reed'] };
    const { body } = await service.operator.post(`/operator/v1/tenants/${tenant.id}/api-keys`, key);
    expect(readMessage(body)).toContain('subscribers:read, subscribers:write');
    expect(readMessage(body)).toContain('the text "read_only" alone');
  });

  it('name the query parameter and the field of a body that were probably meant', async () => {
    const query = await tenant.api.get('/v1/subscribers?limt=3');
    expect(query.refusal).toEqual([400, 'parameter_unknown', 'limt']);
    expect(readMessage(query.body)).toBe(
      'limt is not a known query parameter. Did you mean limit?',
    );
    const { body } = await tenant.api.post('/v1/subscribers', { emial: 'ada@example.com' });
    expect(readMessage(body)).toBe('emial is not a known field. Did you mean email?');
    const events = await tenant.api.post('/v1/destinations', { events: ['payment.*'] });
    expect(readMessage(events.body)).toBe('events is not a known field. Did you mean event_types?');
    const camel = await tenant.api.post('/v1/subscribers', { externalId: 'crm-1' });
    expect(readMessage(camel.body)).toBe(
      'externalId is not a known field. Did you mean external_id?',
    );
  });

  it('list the known fields if none resembles the unknown one, or say that there are none', async () => {
    const subscriber = await tenant.api.post('/v1/subscribers', { colour: 'red' });
    expect(readMessage(subscriber.body)).toContain('colour is not a known field. The fields are ');
    const listed = await tenant.api.get('/v1/metrics?colour=red');
    expect(readMessage(listed.body)).toBe(
      'colour is not a known query parameter. The query parameters are limit, starting_after, ending_before.',
    );
    const query = await tenant.api.get('/v1/plans/pro?limit=3');
    expect(readMessage(query.body)).toBe(
      'limit is not a known query parameter. This operation has no query parameters.',
    );
    const body = await tenant.api.post('/v1/motions/mot_1/activate', { limit: 3 });
    expect(readMessage(body.body)).toBe('limit is not a known field. This operation has no body.');
  });

  it('name the wrong value of event_types and the type that was probably meant', async () => {
    const { body } = await tenant.api.post('/v1/destinations', {
      type: 'https_webhook',
      url: 'https://example.com/hooks',
      event_types: ['payment.succeeded', 'payment.faild'],
    });
    expect(readMessage(body)).toBe(
      'event_types has payment.faild, which is neither an event type, nor a family such as payment.*, nor *. Did you mean payment.failed?',
    );
  });

  it('name the path that was probably meant', async () => {
    const path = await tenant.api.get('/v1/subscriber');
    expect(path.refusal.slice(0, 2)).toEqual([404, 'route_not_found']);
    expect(readMessage(path.body)).toBe(
      'There is no GET /v1/subscriber. Did you mean /v1/subscribers?',
    );
    const below = await tenant.api.get('/v1/tickets/tkt_1/comments');
    expect(readMessage(below.body)).toBe(
      'There is no GET /v1/tickets/tkt_1/comments. The paths of /v1/tickets/{ticketId} are resolve, reopen, close.',
    );
  });

  it('name the kind of a wrong credential and the kind that is needed, but never quote it', async () => {
    const secret = 'A'.repeat(43);
    const needsKey =
      '/v1 needs an API key, which begins with rk_live_ or rk_test_. The operator token is for /operator/v1 only.';
    const needsToken = '/operator/v1 needs the operator token.';
    for (const [target, credential, message] of [
      ['/v1/events', service.operatorToken, `The credential is not an API key. ${needsKey}`],
      [
        '/v1/events',
        `opt_0123456789abcdef_${secret}`,
        `The credential is an operator token. ${needsKey}`,
      ],
      [
        '/v1/events',
        `whsec_${secret}`,
        `The credential is the signing secret of a destination. ${needsKey}`,
      ],
      [
        '/v1/events',
        tenant.key.slice(0, -1),
        'The API key is not valid: it is unknown, or its end is missing.',
      ],
      ['/operator/v1/tenants', tenant.key, `The credential is an API key. ${needsToken}`],
      [
        '/operator/v1/tenants',
        `whsec_${secret}`,
        `The credential is the signing secret of a destination. ${needsToken}`,
      ],
      ['/operator/v1/tenants', 'something', 'The operator token is not valid.'],
    ] as const) {
      const answer = await new Api(() => service.url, credential).get(target);
      expect(answer.refusal.slice(0, 2)).toEqual([401, 'api_key_invalid']);
      expect(readMessage(answer.body)).toBe(message);
      expect(JSON.stringify(answer.body)).not.toContain(credential);
    }
    const missing = await fetch(`${service.url}/operator/v1/tenants`);
    expect(readMessage((await missing.json()) as Record<string, unknown>)).toBe(
      'Send the operator token as "Authorization: Bearer <token>".',
    );
  });

  it('say what is wrong with the form in which a key was sent, but never quote it', async () => {
    const { key } = tenant;
    const form = 'Send the API key as "Authorization: Bearer <key>".';
    const basic = Buffer.from(`${key}:`).toString('base64');
    for (const [headers, found] of [
      [{}, ''],
      [{ 'x-api-key': key }, 'The service does not read the header X-Api-Key. '],
      [{ 'api-key': key }, 'The service does not read the header Api-Key. '],
      [
        { authorization: key },
        'The Authorization header does not begin with "Bearer" and a space. ',
      ],
      [
        { authorization: `Bearer:${key}` },
        'The Authorization header does not begin with "Bearer" and a space. ',
      ],
      [
        { authorization: `Basic ${basic}` },
        'The Authorization header has the scheme Basic instead of Bearer. ',
      ],
      [
        { authorization: `token ${key}` },
        'The Authorization header has the scheme Token instead of Bearer. ',
      ],
      [{ authorization: `${key} x` }, 'The Authorization header has another scheme than Bearer. '],
      [{ authorization: 'Bearer' }, 'The Authorization header has nothing after "Bearer". '],
      [
        { authorization: `Bearer ${key} x` },
        'The Authorization header has a space within the credential. ',
      ],
    ] as const) {
      const answer = await fetch(`${service.url}/v1/plans`, { headers });
      const text = await answer.text();
      const { error } = JSON.parse(text) as { error: Record<string, unknown> };
      expect([answer.status, error['code']]).toEqual([401, 'api_key_missing']);
      expect(error['message']).toBe(`${found}${form}`);
      expect(text).not.toContain(key);
    }
  });

  it('list the choices of a missing field', async () => {
    const { refusal, body } = await tenant.api.post('/v1/destinations', { url: 'https://a.de' });
    expect(refusal).toEqual([400, 'parameter_missing', 'type']);
    expect(readMessage(body)).toBe(
      'type is required: it must be one of https_webhook, email_fallback.',
    );
  });

  it('say where the method works that a path does not allow', async () => {
    const plan = await tenant.api.post('/v1/plans', { name: 'Pro' });
    expect(plan.refusal.slice(0, 2)).toEqual([405, 'method_not_allowed']);
    expect(readMessage(plan.body)).toBe(
      '/v1/plans allows only GET, HEAD. See also PUT /v1/plans/{planId}.',
    );
    const payment = await tenant.api.post('/v1/payments', {});
    expect(readMessage(payment.body)).toBe(
      '/v1/payments allows only GET, HEAD. The service makes the payment when a subscription starts, renews or changes its plan: see POST /v1/subscriptions.',
    );
    const refund = await tenant.api.post('/v1/refunds', {});
    expect(readMessage(refund.body)).toBe(
      '/v1/refunds allows only GET, HEAD. See also POST /v1/payments/{paymentId}/refunds.',
    );
  });

  it('say how an object is found whose id is not the one of the service', async () => {
    const found = 'GET /v1/subscribers?external_id= finds';
    const subscriber = await tenant.api.get('/v1/subscribers/crm-1');
    expect(subscriber.refusal).toEqual([404, 'resource_not_found', 'subscriberId']);
    expect(readMessage(subscriber.body)).toContain(found);
    const ticket = { subscriber_id: 'crm-1', topic: 'other', subject: 'Hello' };
    expect(readMessage((await tenant.api.post('/v1/tickets', ticket)).body)).toContain(found);
    const ada = { email: 'ada@example.com', external_id: 'crm-1' };
    const { created } = await tenant.api.post('/v1/subscribers', ada);
    const again = await tenant.api.post('/v1/subscribers', ada);
    expect(again.refusal).toEqual([409, 'external_id_in_use', 'external_id']);
    expect(readMessage(again.body)).toContain(found);
    const plan = { subscriber_id: created['id'], plan: 'Nope' };
    expect(readMessage((await tenant.api.post('/v1/subscriptions', plan)).body)).toBe(
      'No such plan. GET /v1/plans lists the plans.',
    );
  });

  it('say how an id begins where an id of another kind was sent', async () => {
    const subscription = 'sub_0123456789abcdef01234567';
    const ofSubscriber =
      'No such subscriber. Ids of subscribers begin with subscriber_; GET /v1/subscribers?external_id= finds one by your own id.';
    for (const list of ['events', 'payments', 'refunds', 'subscriptions', 'tickets'])
      for (const wrong of [subscription, 'ada@example.com']) {
        const filtered = await tenant.api.get(`/v1/${list}?subscriber_id=${wrong}`);
        expect([list, ...filtered.refusal]).toEqual([
          list,
          404,
          'resource_not_found',
          'subscriber_id',
        ]);
        expect(readMessage(filtered.body)).toBe(ofSubscriber);
      }
    const unknown = await tenant.api.get('/v1/payments?subscriber_id=subscriber_nobody');
    expect(unknown.data).toEqual([]);
    const started = { subscriber_id: subscription, plan: 'pro' };
    expect(readMessage((await tenant.api.post('/v1/subscriptions', started)).body)).toBe(
      ofSubscriber,
    );
    for (const [path, message] of [
      ['/v1/payments/sub_1', 'No such payment. Ids of payments begin with pay_.'],
      ['/v1/subscriptions/pay_1', 'No such subscription. Ids of subscriptions begin with sub_.'],
      [
        '/v1/payments?subscription_id=pay_1',
        'No such subscription. Ids of subscriptions begin with sub_.',
      ],
      ['/v1/refunds?payment_id=sub_1', 'No such payment. Ids of payments begin with pay_.'],
      ['/v1/events/sub_1', 'No such event. Ids of events begin with evt_.'],
      ['/v1/tickets/sub_1', 'No such ticket. Ids of tickets begin with tkt_.'],
      ['/v1/tickets/tkt_1', 'No such ticket. This is not a complete id of a ticket.'],
    ] as const)
      expect(readMessage((await tenant.api.get(path)).body)).toBe(message);
  });

  it('say how an id of a destination, a cohort or a motion begins', async () => {
    for (const [path, message] of [
      ['/v1/destinations/mot_1', 'No such destination. Ids of destinations begin with dest_.'],
      ['/v1/cohorts/dest_1', 'No such cohort. Ids of cohorts begin with cohort_.'],
      ['/v1/motions/cohort_1', 'No such motion. Ids of motions begin with mot_.'],
    ] as const)
      expect(readMessage((await tenant.api.get(path)).body)).toBe(message);
    const ofTenant = await service.operator.get('/operator/v1/tenants/key_1');
    expect(readMessage(ofTenant.body)).toBe('No such tenant. Ids of tenants begin with tnt_.');
  });

  it('name the environment that was searched for an id', async () => {
    const { created } = await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    const live = await service.createKey(tenant.id, 'live');
    const missed = await live.api.get(`/v1/subscribers/${String(created['id'])}`);
    expect(readMessage(missed.body)).toBe(
      'No such subscriber. Only the live environment was searched.',
    );
  });

  it('have one item in errors for each wrong field, whatever found it', async () => {
    const bad = [
      [
        '/v1/destinations',
        { type: 'https_webhook', url: 'https://example.com', event_types: ['x'] },
      ],
      ['/v1/subscribers', { email: 'nobody' }],
      ['/v1/motions', { name: 'Long', kind: 'cancel_save', offer: { type: 'pause', days: 3000 } }],
    ] as const;
    for (const [path, body] of bad) {
      const { error } = (await tenant.api.post(path, body)).body as Record<string, Json>;
      const { param, code, message } = error ?? {};
      expect(error?.['errors']).toEqual([{ param, code, message }]);
    }
  });

  it('name a query parameter that is given twice, and the known ones', async () => {
    const twice = await tenant.api.get('/v1/subscribers?status=active&status=paused');
    expect(readMessage(twice.body)).toBe('status may be given only once.');
    const list = await tenant.api.get('/v1/events?event_types=a.b&event_types=c.d');
    expect(readMessage(list.body)).not.toContain('only once');
    const unknown = await tenant.api.get('/v1/subscribers?foo=1');
    expect(readMessage(unknown.body)).toMatch(
      /The query parameters are status, ids, .*created_before/,
    );
    const type = await tenant.api.get('/v1/events?type=payment.failed');
    expect(readMessage(type.body)).toContain('Did you mean event_types?');
  });

  it('say how to write the + of a time zone in a URL', async () => {
    const plus = await tenant.api.get('/v1/events?created_after=2026-11-28T00:00:00+02:00');
    expect(readMessage(plus.body)).toBe(
      'created_after must be an ISO 8601 date-time with a time zone, such as 2026-01-31T09:00:00Z. A + in a URL is read as a space: write it as %2B.',
    );
    const day = await tenant.api.get('/v1/events?created_after=2026-11-28');
    expect(readMessage(day.body)).not.toContain('%2B');
    (await tenant.api.get('/v1/events?created_after=2026-11-28T00:00:00%2B02:00')).expect(200);
  });

  it('say that an object did not exist yet at a time', async () => {
    const at = '2020-01-01T00:00:00.000Z';
    const subscriber = await tenant.api.post('/v1/subscribers', { email: 'at@example.com' });
    const path = `/v1/subscribers/${String(subscriber.created['id'])}`;
    expect(readMessage((await tenant.api.get(`${path}?at=${at}`)).body)).toBe(
      `No such subscriber. It did not exist at ${at}.`,
    );
    const unknown = await tenant.api.get(`/v1/subscribers/subscriber_${'0'.repeat(16)}?at=${at}`);
    expect(readMessage(unknown.body)).toContain('environment was searched');
  });

  it('say that a body is not UTF-8', async () => {
    const answer = await fetch(`${service.url}/v1/subscribers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: Buffer.from('{"email":"ad\xe9@example.com"}', 'latin1'),
    });
    expect(answer.status).toBe(400);
    expect(readMessage((await answer.json()) as Json)).toBe(
      'The body is not valid JSON: it is not UTF-8.',
    );
  });

  it('say what to do about an Idempotency-Key that was used for another request', async () => {
    const headers = { 'idempotency-key': 'used-once' };
    const ada = { email: 'ada@example.com' };
    (await tenant.api.post('/v1/subscribers', ada, headers)).expect(201);
    const other = await tenant.api.post('/v1/subscribers', { ...ada, tags: ['vip'] }, headers);
    expect(other.refusal).toEqual([422, 'idempotency_key_reused', 'Idempotency-Key']);
    expect(readMessage(other.body)).toContain(
      'Use a new key for this request, or repeat the first request unchanged.',
    );
  });

  it('name the states in which an action is possible', async () => {
    (
      await tenant.api.put('/v1/plans/states', {
        name: 'States',
        amount: 1000,
        currency: 'USD',
        interval: 'month',
      })
    ).expect(200);
    const ada = (await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const start = { subscriber_id: ada['id'], plan: 'states', payment_method: 'pm_test_ok' };
    const { id } = (await tenant.api.post('/v1/subscriptions', start)).created;
    const path = `/v1/subscriptions/${String(id)}`;
    const readRefusal = async (url: string, body: object): Promise<string> => {
      const answer = await tenant.api.post(url, body);
      expect(answer.refusal.slice(0, 2)).toEqual([409, 'invalid_state_transition']);
      return readMessage(answer.body);
    };
    expect(await readRefusal(`${path}/reactivate`, {})).toBe(
      'The subscription is active; this is possible while it is cancelled or lapsed.',
    );
    (await tenant.api.post(`${path}/cancel`, { effective: 'immediately' })).expect(200);
    expect(await readRefusal(`${path}/pause`, {})).toBe(
      'The subscription is cancelled; this is possible while it is active or trialing.',
    );
    const [payment] = (await tenant.api.get(`/v1/payments?subscriber_id=${String(ada['id'])}`))
      .data;
    const report = {
      outcome: 'failed',
      failure: { code: 'card_declined', message: 'Declined.', decline_type: 'soft' },
    };
    expect(await readRefusal(`/v1/payments/${String(payment?.['id'])}/attempts`, report)).toContain(
      'The status of the payment is succeeded; this is possible while it is pending.',
    );
  });

  it('name the metric, the event type or the scenario that was probably meant', async () => {
    const metric = await tenant.api.get('/v1/metrics/activeSubscribers');
    expect(readMessage(metric.body)).toBe('No such metric. Did you mean active_subscribers?');
    for (const name of PERFORMANCE_NUMBERS) {
      expect(MotionPerformance.properties).toHaveProperty(name);
      const ofMotions = await tenant.api.get(`/v1/metrics/${name}`);
      expect(readMessage(ofMotions.body)).toBe(
        `No such metric. GET /v1/motions/{motionId}/performance has ${name}.`,
      );
    }
    const type = await tenant.api.get('/v1/event_types/payment.fail');
    expect(readMessage(type.body)).toBe('No such event type. Did you mean payment.failed?');
    const scenario = await tenant.api.post('/v1/test_helpers/scenarios/christmas');
    expect(readMessage(scenario.body)).toContain('No such scenario. The scenarios are ');
  });

  it('refuse a currency for a metric that is not an amount of money', async () => {
    const refused = await tenant.api.get('/v1/metrics/active_subscribers?currency=EUR');
    expect(refused.refusal).toEqual([400, 'parameter_unknown', 'currency']);
    (await tenant.api.get('/v1/metrics/mrr?currency=EUR')).expect(200);
    const rate = await tenant.api.get('/v1/metrics/recovery?currency=EUR');
    expect(readMessage(rate.body)).toBe(
      'recovery with measure=rate is not an amount of money, so it has no parameter currency. Its parameters are window, from, to, granularity, measure, plan, cohort_id, timezone, csv_columns.',
    );
    (await tenant.api.get('/v1/metrics/recovery?measure=amount&currency=EUR')).expect(200);
  });
});

it('the response to the trigger of a motion has the location of its run', async () => {
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
