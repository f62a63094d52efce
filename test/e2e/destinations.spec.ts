import { createHmac } from 'node:crypto';
import { Webhook } from 'svix';
import type { Api } from '../support/api';
import { verify } from '../support/receiver';
import type { RunningService } from '../support/service';
import { until } from '../support/until';
import { WebhookStage } from '../support/webhook-stage';

type Json = Record<string, unknown>;

describe('destinations', () => {
  let stage: WebhookStage<RunningService>;
  let api: Api;

  beforeAll(async () => {
    stage = await WebhookStage.onShared();
    api = stage.api;
  });

  afterAll(() => stage.dispose());

  it('show the secret once, when they are created', async () => {
    const { url } = await stage.addReceiver();
    const created = await stage.register(url, { event_types: ['ticket.*', 'ticket.*'] });
    expect(created).toMatchObject({
      type: 'https_webhook',
      url,
      event_types: ['ticket.*'],
      pii_mode: 'full',
      schema_version: 'v1',
      status: 'active',
      disabled_reason: null,
      max_in_flight: 50,
      rate_limit_per_second: null,
      ordering: 'relaxed',
      trace_headers: 'on',
    });
    const { signing_secret: secret, ...shown } = created;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await api.get(`/v1/destinations/${created.id}`)).ok).toEqual(shown);
    expect((await api.get('/v1/destinations')).data).toEqual([shown]);
    await stage.forget(created.id);
  });

  it('change only the fields of a PATCH', async () => {
    const { url } = await stage.addReceiver();
    const { signing_secret: _, ...created } = await stage.register(url, { description: 'first' });
    const path = `/v1/destinations/${created.id}`;
    const changes = { pii_mode: 'minimal', event_types: ['payment.*'], max_in_flight: 3 };
    expect((await api.patch(path, changes)).ok).toEqual({ ...created, ...changes });
    expect((await api.patch(path, {})).ok).toEqual({ ...created, ...changes });
    const back = { event_types: null, description: null, rate_limit_per_second: 2.5 };
    expect((await api.patch(path, back)).ok).toEqual({ ...created, ...changes, ...back });
    for (const [body, code, param] of [
      [{ event_types: [] }, 'parameter_invalid', 'event_types'],
      [{ event_types: ['nothing.*'] }, 'parameter_invalid', 'event_types'],
      [{ schema_version: 'v9' }, 'parameter_invalid', 'schema_version'],
      [{ url: 'ftp://example.com' }, 'url_not_https', 'url'],
      [{ url: 'https://user:pw@example.com' }, 'parameter_invalid', 'url'],
      [{ url: `${url}\r\nx: 1` }, 'parameter_invalid', 'url'],
      [{ max_in_flight: 501 }, 'parameter_invalid', 'max_in_flight'],
      [{ resume_from: 'now' }, 'parameter_invalid', 'resume_from'],
      [{ status: 'deleted' }, 'parameter_invalid', 'status'],
      [{ email: 'a@example.com' }, 'parameter_invalid', 'email'],
      [{ type: 'email_fallback' }, 'parameter_unknown', 'type'],
    ] as const) {
      expect((await api.patch(path, body)).refusal).toEqual([400, code, param]);
    }
    expect((await api.get(path)).ok).toEqual({ ...created, ...changes, ...back });
    await stage.forget(created.id);
  });

  it('are signed for with both secrets for a day after a rotation, with the newest two after two', async () => {
    const inbox = await stage.addReceiver();
    const { id, signing_secret: first } = await stage.register(inbox.url);
    const path = `/v1/destinations/${id}`;
    const rotated = (await api.post(`${path}/rotate-secret`)).ok;
    const second = rotated['signing_secret'] as string;
    expect(rotated).toEqual({
      id,
      signing_secret: expect.stringMatching(/^whsec_/) as unknown,
      previous_secret_expires_at: expect.any(String) as unknown,
    });
    const overlapMs = Date.parse(rotated['previous_secret_expires_at'] as string) - Date.now();
    expect(Math.abs(overlapMs - 24 * 3_600_000)).toBeLessThan(60_000);
    expect((await api.get(path)).ok['previous_secret_expires_at']).toBe(
      rotated['previous_secret_expires_at'],
    );

    const about = await stage.createSubscriber();
    const delivery = await inbox.next('subscriber.created');
    for (const secret of [first as string, second]) {
      verify(delivery, secret);
      new Webhook(secret).verify(delivery.body, delivery.headers as Record<string, string>);
    }
    const t = Math.floor(Date.parse(delivery.event['created_at'] as string) / 1000);
    const computeV1 = (secret: string): string =>
      createHmac('sha256', secret)
        .update(`${delivery.event.id}.${t}.${delivery.body}`)
        .digest('hex');
    expect(delivery.headers['x-service-signature']).toBe(
      `t=${t},v1=${computeV1(second)},v1=${computeV1(first as string)}`,
    );

    const third = (await api.post(`${path}/rotate-secret`)).ok['signing_secret'] as string;
    await stage.submitTicket(about);
    const next = await inbox.next('ticket.submitted');
    verify(next, third);
    verify(next, second);
    expect(() => {
      verify(next, first as string);
    }).toThrow();
    await stage.forget(id);
  });

  it('end a leaked secret at once by a rotation without an overlap', async () => {
    const inbox = await stage.addReceiver();
    const { id, signing_secret: leaked } = await stage.register(inbox.url);
    const path = `/v1/destinations/${id}`;
    const rotated = (await api.post(`${path}/rotate-secret`, { overlap_hours: 0 })).ok;
    expect((await api.get(path)).ok['previous_secret_expires_at']).toBeNull();
    await stage.submitTicket(await stage.createSubscriber());
    const next = await inbox.next('ticket.submitted');
    verify(next, rotated['signing_secret'] as string);
    expect(() => {
      verify(next, leaked as string);
    }).toThrow();
    await stage.forget(id);
  });

  it('repeat a rotation with the same Idempotency-Key without rotating again', async () => {
    const { id } = await stage.register((await stage.addReceiver()).url);
    const headers = { 'idempotency-key': 'rotate-once' };
    const once = (await api.post(`/v1/destinations/${id}/rotate-secret`, undefined, headers)).ok;
    const again = await api.post(`/v1/destinations/${id}/rotate-secret`, undefined, headers);
    expect(again.ok).toEqual(once);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await stage.forget(id);
  });

  it('are deleted softly, restored, and deleted for good', async () => {
    const inbox = await stage.addReceiver();
    const { id } = await stage.register(inbox.url);
    const path = `/v1/destinations/${id}`;
    const deleted = (await api.delete(path)).ok;
    expect(deleted).toMatchObject({ id, status: 'deleted' });
    const days =
      (Date.parse(deleted['recoverable_until'] as string) -
        Date.parse(deleted['deleted_at'] as string)) /
      86_400_000;
    expect(days).toBe(30);
    expect((await api.delete(path)).ok).toEqual(deleted);
    expect((await api.get(path)).ok['status']).toBe('deleted');
    expect((await api.get('/v1/destinations')).data).toEqual([]);
    expect((await api.get('/v1/destinations?status=deleted')).data).toHaveLength(1);
    for (const refused of [
      await api.patch(path, { description: 'x' }),
      await api.post(`${path}/rotate-secret`),
      await api.post(`${path}/test`),
      await api.post(`${path}/preview`, { event_id: 'evt_x' }),
    ]) {
      expect(refused.refusal.slice(0, 2)).toEqual([409, 'destination_deleted']);
    }

    const missed = await stage.createSubscriber();
    expect((await api.post(`${path}/restore`)).ok['status']).toBe('active');
    expect((await api.post(`${path}/restore`)).ok['status']).toBe('active');
    await until('what came while it was deleted', () =>
      inbox.received.some(({ event }) => (event['subscriber'] as Json)['id'] === missed),
    );

    await stage.forget(id);
    for (const gone of [
      await api.get(path),
      await api.patch(path, {}),
      await api.delete(path),
      await api.post(`${path}/restore`),
    ]) {
      expect(gone.refusal.slice(0, 2)).toEqual([404, 'resource_not_found']);
    }
  });

  it('are limited per tenant; deleted ones do not count', async () => {
    const { url } = await stage.addReceiver();
    const ids = [];
    for (let i = 0; i < 9; i += 1) ids.push((await stage.register(url, { status: undefined })).id);
    const body = { type: 'https_webhook', url };
    const racing = await Promise.all([1, 2, 3].map(() => api.post('/v1/destinations', body)));
    const made = racing.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(racing.filter(({ status }) => status !== 201).map(({ refusal }) => refusal[1])).toEqual([
      'destination_limit_reached',
      'destination_limit_reached',
    ]);
    const [first = ''] = ids;
    (await api.delete(`/v1/destinations/${first}`)).expect(200);
    const tenth = await stage.register(url);
    expect((await api.post(`/v1/destinations/${first}/restore`)).refusal[1]).toBe(
      'destination_limit_reached',
    );
    // Restoring an active destination needs no free place.
    expect((await api.post(`/v1/destinations/${tenth.id}/restore`)).ok['status']).toBe('active');
    for (const id of [...ids, tenth.id, made[0]?.body['id'] as string]) await stage.forget(id);
  });

  it('keep events that arrive while they are disabled, or skip them if told so', async () => {
    const inbox = await stage.addReceiver();
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const path = `/v1/destinations/${id}`;
    const about = await stage.createSubscriber();
    const disabled = (await api.patch(path, { status: 'disabled' })).ok;
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'manual' });
    const kept = await stage.findTicketEvent(await stage.submitTicket(about, 'kept'));
    const answered = (await api.get(`/v1/events/${kept.id}/deliveries`)).data;
    expect(answered).toMatchObject([{ destination_id: id, status: 'destination_disabled' }]);

    expect((await api.patch(path, { status: 'active' })).ok).toMatchObject({
      status: 'active',
      disabled_reason: null,
    });
    await until('the ticket that was kept', () => inbox.eventIds.includes(kept.id));

    (await api.patch(path, { status: 'disabled' })).expect(200);
    const skipped = await stage.findTicketEvent(await stage.submitTicket(about, 'skipped'));
    (await api.patch(path, { status: 'active', resume_from: 'now' })).expect(200);
    const after = await stage.findTicketEvent(await stage.submitTicket(about, 'after'));
    await until('the ticket after', () => inbox.eventIds.includes(after.id));
    expect(inbox.eventIds).toEqual([kept.id, after.id]);
    expect((await api.get(`/v1/events/${skipped.id}/deliveries`)).data).toMatchObject([
      { destination_id: id, status: 'destination_disabled', attempt_count: 0 },
    ]);
    const types = (await api.get('/v1/operational_events')).data
      .filter((each) => (each['data'] as Json)['destination_id'] === id)
      .map((each) => each['type']);
    expect(types).toEqual([
      'destination.enabled',
      'destination.disabled',
      'destination.enabled',
      'destination.disabled',
    ]);
    await stage.forget(id);
  });

  it('are disabled on 410 and get the waiting events once they are enabled again', async () => {
    const inbox = await stage.addReceiver();
    inbox.answerStatus(410);
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const event = await stage.findTicketEvent(
      await stage.submitTicket(await stage.createSubscriber()),
    );
    const disabled = await until('the destination to be disabled', async () => {
      const { ok } = await api.get(`/v1/destinations/${id}`);
      return ok['status'] === 'disabled' ? ok : null;
    });
    expect(disabled['disabled_reason']).toBe('gone');
    inbox.answerStatus(200);
    const before = inbox.received.length;
    (await api.patch(`/v1/destinations/${id}`, { status: 'active' })).expect(200);
    await until('the event again', () => inbox.received.length > before);
    await until('the delivery to be recorded', async () => {
      const found = await api.get(`/v1/destinations/${id}/deliveries/${event.id}`);
      return found.ok['status'] === 'delivered';
    });
    await stage.forget(id);
  });

  it('can be tested with a ping', async () => {
    const inbox = await stage.addReceiver();
    const { id, signing_secret: secret } = await stage.register(inbox.url);
    const answer = (await api.post(`/v1/destinations/${id}/test`)).ok;
    expect(answer).toEqual({
      status_code: 200,
      duration_ms: expect.any(Number) as unknown,
      error: null,
    });
    const ping = await inbox.next('test.ping');
    verify(ping, secret as string);
    expect(ping.event).toMatchObject({
      type: 'test.ping',
      data: { message: 'ping' },
      tenant: { id: stage.tenant.id },
      environment: 'test',
    });
    await inbox.close();
    const failed = (await api.post(`/v1/destinations/${id}/test`)).ok;
    expect(failed).toMatchObject({ status_code: null, error: 'connection_refused' });
    await stage.forget(id);
  });

  it('preview exactly what is sent', async () => {
    const inbox = await stage.addReceiver();
    const { id } = await stage.register(inbox.url, { event_types: ['ticket.submitted'] });
    const event = await stage.findTicketEvent(
      await stage.submitTicket(await stage.createSubscriber()),
    );
    const sent = await inbox.next('ticket.submitted');
    const path = `/v1/destinations/${id}/preview`;
    const preview = (await api.post(path, { event_id: event.id })).ok as {
      headers: Record<string, string>;
      body: string;
    };
    expect(preview.body).toBe(sent.body);
    for (const name of ['x-service-signature', 'x-service-event-id', 'user-agent']) {
      expect(preview.headers[name]).toBe(sent.headers[name]);
    }
    const minimal = (await api.post(path, { event_id: event.id, pii_mode: 'minimal' })).ok;
    expect(Object.keys(JSON.parse(minimal['body'] as string) as Json)).toEqual([
      'id',
      'type',
      'created_at',
      'subscriber',
    ]);
    expect((await api.post(path, { event_id: 'evt_none' })).refusal).toEqual([
      404,
      'resource_not_found',
      'event_id',
    ]);
    expect((await api.post(path, { event_id: event.id, schema_version: 'v9' })).refusal).toEqual([
      400,
      'parameter_invalid',
      'schema_version',
    ]);
    expect(preview.headers).not.toHaveProperty('x-service-redacted');
    (await api.patch(`/v1/destinations/${id}`, { pii_mode: 'hashed_only' })).expect(200);
    const tightened = (await api.post(path, { event_id: event.id })).ok;
    expect(tightened['headers']).toMatchObject({ 'x-service-redacted': 'true' });
    expect(inbox.received).toHaveLength(1);
    await stage.forget(id);
  });

  it('can be managed by the operator in the same way', async () => {
    const inbox = await stage.addReceiver();
    const base = `/operator/v1/tenants/${stage.tenant.id}/destinations`;
    const body = { type: 'https_webhook', url: inbox.url, environment: 'test' };
    const { id } = (await stage.service.operator.post(base, body)).created as { id: string };
    const path = `${base}/${id}`;
    const { operator } = stage.service;
    expect((await operator.patch(path, { pii_mode: 'minimal' })).ok['pii_mode']).toBe('minimal');
    expect((await operator.get(path)).ok['pii_mode']).toBe('minimal');
    expect((await operator.post(`${path}/test`)).ok['status_code']).toBe(200);
    expect((await operator.post(`${path}/rotate-secret`)).ok['id']).toBe(id);
    expect((await operator.delete(path)).ok['status']).toBe('deleted');
    expect((await operator.post(`${path}/restore`)).ok['status']).toBe('active');
    const stranger = (await operator.post('/operator/v1/tenants', { name: 'Other' })).created;
    const foreign = `/operator/v1/tenants/${stranger['id'] as string}/destinations/${id}`;
    expect((await operator.get(foreign)).refusal[0]).toBe(404);
    (await operator.delete(`${path}?force=true`)).expect(204);
    expect((await operator.get(path)).refusal[0]).toBe(404);
  });
});
