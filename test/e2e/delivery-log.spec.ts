import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../support/api';
import { until } from '../support/until';
import { WebhookStage } from '../support/webhook-stage';

describe('the delivery log', () => {
  let stage: WebhookStage;
  let api: Api;

  beforeAll(async () => {
    stage = await WebhookStage.start({
      LOG_LEVEL: 'info',
      LOG_REQUESTS: 'true',
      RETRY_SCHEDULE: '0,4,4,4,4',
    });
    api = stage.api;
  });

  afterAll(() => stage.dispose());

  it('shows the result of each delivery and the reason of a failure', async () => {
    const inbox = await stage.addReceiver();
    inbox.answer(({ headers }, response) => {
      response.statusCode = headers['x-service-attempt'] === '1' ? 500 : 201;
      response.end('said the receiver');
    });
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const other = await stage.register(inbox.url, { event_types: ['payment.*'] });
    const event = await stage.findTicketEvent(
      await stage.submitTicket(await stage.createSubscriber()),
    );
    const path = `/v1/destinations/${id}/deliveries`;
    const delivery = await until('the delivery', async () => {
      const { body } = await api.get(`${path}/${event.id}`);
      return body['status'] === 'delivered' ? body : null;
    });
    expect(delivery).toMatchObject({
      event_id: event.id,
      event_type: 'ticket.submitted',
      destination_id: id,
      attempt_count: 2,
      last_status_code: 201,
      last_error: null,
      next_attempt_at: null,
      replay_id: null,
      attempts: [
        { attempt: 1, status_code: 500, response_body: 'said the receiver', error: null },
        { attempt: 2, status_code: 201, response_body: 'said the receiver', replay_id: null },
      ],
    });
    expect((await api.get(`${path}?status=delivered`)).data).toHaveLength(1);
    expect((await api.get(`${path}?status=failed`)).data).toEqual([]);
    for (const [type, found] of [
      ['payment.failed', 0],
      ['payment.*', 0],
      ['ticket.submitted', 1],
      ['ticket.*', 1],
    ] as const) {
      expect((await api.get(`${path}?event_type=${type}`)).data).toHaveLength(found);
    }
    for (const type of ['nope', 'nope.*', 'Ticket.submitted']) {
      const { refusal } = await api.get(`${path}?event_type=${type}`);
      expect(refusal).toEqual([400, 'parameter_invalid', 'event_type']);
    }
    const late = await stage.register(inbox.url);
    const answers = (await api.get(`/v1/events/${event.id}/deliveries`)).data;
    expect(
      Object.fromEntries(answers.map((each) => [each['destination_id'], each['status']])),
    ).toEqual({
      [id]: 'delivered',
      [other.id]: 'filtered',
      [late.id]: 'before_destination',
    });

    const accepted = await api.post(`${path}/${event.id}/retry`);
    accepted.expect(202);
    await until('the manual retry', () => inbox.received.length === 3);
    const again = await until('its record', async () => {
      const { ok } = await api.get(`${path}/${event.id}`);
      return ok['attempt_count'] === 3 ? ok : null;
    });
    expect(again['status']).toBe('delivered');
    expect(inbox.received[2]?.headers['x-service-attempt']).toBe('3');
    expect(inbox.received[2]?.headers['x-service-signature']).toBe(
      inbox.received[0]?.headers['x-service-signature'],
    );
    expect((await api.post(`${path}/evt_none/retry`)).refusal.slice(0, 2)).toEqual([
      404,
      'resource_not_found',
    ]);
    for (const each of [id, other.id, late.id]) await stage.forget(each);
  });

  it('keeps the deliveries to a destination that was deleted, also for good', async () => {
    const inbox = await stage.addReceiver();
    const { id: kept } = await stage.register(inbox.url, { event_types: ['payment.*'] });
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const event = await stage.findTicketEvent(
      await stage.submitTicket(await stage.createSubscriber()),
    );
    const listDeliveries = async (): Promise<unknown[]> => {
      const { data } = await api.get(`/v1/events/${event.id}/deliveries?limit=100`);
      return data
        .filter((each) => [id, kept].includes(String(each['destination_id'])))
        .map((each) => [each['destination_id'], each['status'], each['destination_status']]);
    };
    const filtered = [kept, 'filtered', 'active'];
    await until('the delivery', async () =>
      isDeepStrictEqual(await listDeliveries(), [[id, 'delivered', 'active'], filtered]),
    );
    (await api.delete(`/v1/destinations/${id}`)).expect(200);
    expect(await listDeliveries()).toEqual([[id, 'delivered', 'deleted'], filtered]);
    (await api.delete(`/v1/destinations/${id}?force=true`)).expect(204);
    expect(await listDeliveries()).toEqual([[id, 'delivered', 'deleted'], filtered]);
    const [first] = (await api.get(`/v1/events/${event.id}/deliveries?limit=1`)).data;
    expect(first).toMatchObject({
      ...{ destination_id: id, attempt_count: 1, last_status_code: 200 },
      ...{ next_attempt_at: null, waiting_for: null },
    });
    const path = `/v1/destinations/${id}/deliveries`;
    expect((await api.get(path)).data).toMatchObject([{ event_id: event.id, status: 'delivered' }]);
    for (const list of ['/v1/deliveries', `/v1/deliveries?destination_id=${id}`]) {
      const rows = (await api.get(list)).data.filter((each) => each['destination_id'] === id);
      expect(rows).toMatchObject([{ event_id: event.id, status: 'delivered' }]);
    }
    const { attempts } = (await api.get(`${path}/${event.id}`)).ok;
    expect(attempts).toMatchObject([{ attempt: 1, status_code: 200 }]);
    expect((await api.get(`${path}/evt_06aq2c6c3vf6nb1rx4d5k8w7ze`)).status).toBe(404);
    expect((await api.get(`/v1/destinations/${id}`)).status).toBe(404);
    await stage.forget(kept);
  });

  it('says what a pending delivery waits for', async () => {
    // Live retries wait for seconds, so a busy machine also sees each reason.
    const live = await stage.addLiveTenant();
    const inbox = await stage.addReceiver();
    inbox.answerStatus(500);
    const { id } = await live.register(inbox.url, { event_types: ['ticket.submitted'] });
    const subscriberId = await live.createSubscriber();
    const submit = async (subscriber: string): Promise<string> =>
      (await live.findTicketEvent(await live.submitTicket(subscriber))).id;
    const path = `/v1/destinations/${id}/deliveries`;
    const readReasons = async (eventId: string): Promise<unknown[]> => {
      const isOfEvent = (each: Record<string, unknown>): boolean =>
        each['event_id'] === eventId && each['destination_id'] === id;
      const lists = [path, '/v1/deliveries', `/v1/events/${eventId}/deliveries`];
      const pages = await Promise.all(lists.map((list) => live.api.get(list)));
      const listed = pages.map(({ data }) => data.find(isOfEvent)?.['waiting_for']);
      return [(await live.api.get(`${path}/${eventId}`)).ok['waiting_for'], ...listed];
    };
    const waitForReason = (eventId: string, reason: string | null): Promise<unknown> =>
      until(`the reason ${reason}`, async () =>
        (await readReasons(eventId)).every((each) => each === reason),
      );
    const older = await submit(subscriberId);
    await waitForReason(older, 'retry');
    const newer = await submit(subscriberId);
    await waitForReason(newer, 'earlier_event');
    await waitForReason(older, 'retry');
    const others = Array.from({ length: 9 }, () => live.createSubscriber().then(submit));
    await Promise.all(others);
    await waitForReason(older, 'destination');
    await waitForReason(newer, 'destination');
    (await live.api.patch(`/v1/destinations/${id}`, { status: 'disabled' })).expect(200);
    await waitForReason(older, 'destination');
    inbox.answerStatus(200);
    (await live.api.patch(`/v1/destinations/${id}`, { status: 'active' })).expect(200);
    await waitForReason(older, null);
    await waitForReason(newer, null);
    await live.forget(id);
  });

  it('accepts a retry of a delivery that waits for its first attempt, and makes no additional attempt', async () => {
    const inbox = await stage.addReceiver();
    const held: (() => void)[] = [];
    inbox.answer((_, response) => {
      held.push(() => response.end());
    });
    const { id } = await stage.register(inbox.url, {
      event_types: ['ticket.submitted'],
      max_in_flight: 1,
    });
    const events = [
      await stage.findTicketEvent(await stage.submitTicket(await stage.createSubscriber())),
      await stage.findTicketEvent(await stage.submitTicket(await stage.createSubscriber())),
    ];
    await until('the first attempt', () => held.length === 1);
    for (const event of events) {
      const path = `/v1/destinations/${id}/deliveries/${event.id}`;
      const asked = await api.post(`${path}/retry`);
      asked.expect(202);
      expect(asked.body).toMatchObject({ status: 'pending', attempt_count: 0 });
      expect((await api.get(path)).ok).toMatchObject({ status: 'pending', attempt_count: 0 });
    }
    inbox.answer((_, response) => response.end());
    for (const release of held) release();
    for (const event of events) {
      await until('the delivery', async () => {
        const { ok } = await api.get(`/v1/destinations/${id}/deliveries/${event.id}`);
        return ok['status'] === 'delivered' && ok['attempt_count'] === 1;
      });
    }
    expect(inbox.received).toHaveLength(2);
    await stage.forget(id);
  });

  it('shows the trace of each attempt, as its webhook and its log line do', async () => {
    const inbox = await stage.addReceiver();
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const subscriber_id = await stage.createSubscriber();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const ticket = await api.post(
      '/v1/tickets',
      { subscriber_id, topic: 'other', subject: 'Traced' },
      { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    );
    const event = await stage.findTicketEvent(ticket.created['id'] as string);
    // The replay also sends the tickets of the other tests.
    const listWebhooks = (): typeof inbox.received =>
      inbox.received.filter((each) => each.headers['x-service-event-id'] === event.id);
    const path = `/v1/destinations/${id}/deliveries/${event.id}`;
    const waitForAttempts = async (count: number): Promise<Record<string, unknown>[]> =>
      until(`${count} attempts in the log`, async () => {
        const { ok } = await api.get(path);
        const attempts = ok['attempts'] as Record<string, unknown>[];
        return attempts.length === count ? attempts : null;
      });
    const [first] = await waitForAttempts(1);
    expect(first).toMatchObject({ trace_id: traceId, linked_trace_id: null });
    expect((await api.get(path)).ok['trace_id']).toBe(traceId);
    expect(listWebhooks()[0]?.headers['traceparent']).toMatch(
      new RegExp(`^00-${traceId}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$`),
    );
    const listLines = (): unknown[] =>
      ['request', 'delivery.attempted'].flatMap((message) =>
        stage.service.listLogLines(message).filter((line) => line['trace_id'] === traceId),
      );
    await until('the lines of the request and of the attempt', () => listLines().length === 2);

    const now = Date.now();
    const window = {
      from: new Date(now - 3_600_000).toISOString(),
      to: new Date(now + 3_600_000).toISOString(),
    };
    const job = { destination_id: id, ...window, dedupe_strategy: 'force_redeliver' };
    (await api.post('/v1/replay', job)).expect(202);
    const [, replayed] = await waitForAttempts(2);
    expect(replayed?.['linked_trace_id']).toBe(traceId);
    expect(replayed?.['trace_id']).toMatch(/^[0-9a-f]{32}$/);
    expect(replayed?.['trace_id']).not.toBe(traceId);
    expect(listWebhooks()[1]?.headers['traceparent']).toContain(replayed?.['trace_id']);
    await until('the line of the replay', () =>
      stage.service
        .listLogLines('delivery.attempted')
        .some((line) => line['linked_trace_id'] === traceId),
    );

    const refused = await api.patch(`/v1/destinations/${id}`, { trace_headers: 'never' });
    expect(refused.refusal).toEqual([400, 'parameter_invalid', 'trace_headers']);
    const changed = await api.patch(`/v1/destinations/${id}`, { trace_headers: 'off' });
    expect(changed.ok['trace_headers']).toBe('off');
    await until('a webhook without trace headers', async () => {
      (await api.post(`${path}/retry`)).expect(202);
      return listWebhooks().at(-1)?.headers['traceparent'] === undefined;
    });
    // Some retries may still have been sent with trace headers, before the change of the destination
    // took effect.
    const last = await until('the record of every webhook', async () => {
      const { attempts } = (await api.get(path)).ok as { attempts: Record<string, unknown>[] };
      return attempts.length === listWebhooks().length ? attempts.at(-1) : null;
    });
    expect(last['trace_id']).toBe(traceId);
    await stage.forget(id);
  });

  it('shows a delivery as pending while it is in flight or waits behind an older one', async () => {
    const inbox = await stage.addReceiver();
    const held: (() => void)[] = [];
    inbox.answer((_, response) => {
      held.push(() => response.end());
    });
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const subscriber = await stage.createSubscriber();
    const first = await stage.findTicketEvent(await stage.submitTicket(subscriber));
    const second = await stage.findTicketEvent(await stage.submitTicket(subscriber));
    await until('the first attempt to be under way', () => held.length === 1);
    for (const event of [first, second]) {
      const delivery = await api.get(`/v1/destinations/${id}/deliveries/${event.id}`);
      expect(delivery.ok).toMatchObject({
        ...{ event_id: event.id, event_type: 'ticket.submitted', destination_id: id },
        ...{ status: 'pending', attempt_count: 0, attempts: [], next_attempt_at: null },
      });
    }
    const unknown = await api.get(`/v1/destinations/${id}/deliveries/evt_none`);
    expect(unknown.refusal).toEqual([404, 'resource_not_found', 'eventId']);
    inbox.answerStatus(200);
    for (const answer of held) answer();
    for (const event of [first, second]) {
      await until('the delivery', async () => {
        const { ok } = await api.get(`/v1/destinations/${id}/deliveries/${event.id}`);
        return ok['status'] === 'delivered';
      });
    }
    await stage.forget(id);
  });

  it('shows a failure after the last scheduled attempt, and one more attempt on request', async () => {
    const inbox = await stage.addReceiver();
    inbox.answerStatus(500);
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const event = await stage.findTicketEvent(
      await stage.submitTicket(await stage.createSubscriber()),
    );
    const path = `/v1/destinations/${id}/deliveries/${event.id}`;
    await until('all attempts to fail', async () => {
      const { body } = await api.get(path);
      return body['status'] === 'failed';
    });
    expect(inbox.received).toHaveLength(5);
    (await api.post(`${path}/retry`)).expect(202);
    await until('the sixth attempt', () => inbox.received.length === 6);
    inbox.answerStatus(200);
    (await api.post(`${path}/retry`)).expect(202);
    await until('success', async () => (await api.get(path)).ok['status'] === 'delivered');
    await stage.forget(id);
  });
});
