import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHeader, Mailbox } from '../support/mailbox';
import { RunningService, Service, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

describe('e-mail destinations', () => {
  let service: Service;
  let live: TestTenant;
  let test: TestTenant;
  const mailbox = new Mailbox();

  beforeAll(async () => {
    const env = { SMTP_URL: await mailbox.open(), MAIL_FROM: 'Events <events@service.example>' };
    service = await Service.start({ env });
    live = await service.tenant('live');
    test = await service.createKey(live.id, 'test');
  });

  afterAll(async () => {
    await service.dispose();
    await mailbox.close();
  });

  const register = async ({ api }: TestTenant, more: Json = {}): Promise<string> => {
    const body = { type: 'email_fallback', email: 'help@example.com', ...more };
    return (await api.post('/v1/destinations', body)).created['id'] as string;
  };

  const submitTicket = async ({ api }: TestTenant, more: Json = {}): Promise<Json> => {
    const { id } = (await api.post('/v1/subscribers', { email: 'ada@example.com' })).created;
    const body = {
      subscriber_id: id,
      topic: 'cancel',
      subject: 'Good bye',
      body: 'Dear you',
      ...more,
    };
    return (await api.post('/v1/tickets', body)).created;
  };

  const findEventId = async ({ api }: TestTenant, ticketId: unknown): Promise<string> => {
    const { data } = await api.get('/v1/events?event_types=ticket.submitted');
    const found = data.find((each) => (each['data'] as { ticket: Json }).ticket['id'] === ticketId);
    return found?.['id'] as string;
  };

  it('send a submitted ticket by SMTP, and nothing else', async () => {
    const id = await register(live, { reply_to_subscriber: true });
    const submitted = await submitTicket(live);
    const message = await until('the message', () => mailbox.messages[0]);
    const event = await findEventId(live, submitted['id']);
    expect(readHeader(message, 'From')).toBe('Events <events@service.example>');
    expect(readHeader(message, 'To')).toBe('help@example.com');
    expect(readHeader(message, 'Reply-To')).toBe('ada@example.com');
    expect(readHeader(message, 'Subject')).toBe('[cancel] Good bye');
    expect(readHeader(message, 'X-Service-Event-Id')).toBe(event);
    expect(readHeader(message, 'X-Service-Ticket-Id')).toBe(submitted['id']);
    expect(readHeader(message, 'Message-ID')).toBe(`<${event}.${id}@service.example>`);
    expect(message).toContain('Dear you');
    const delivery = await until('its record', async () => {
      const { body } = await live.api.get(`/v1/destinations/${id}/deliveries/${event}`);
      return body['status'] === 'delivered' ? body : null;
    });
    expect(delivery).toMatchObject({ last_status_code: 250, attempt_count: 1 });
    expect((await live.api.get(`/v1/destinations/${id}/deliveries`)).data).toHaveLength(1);
    (await live.api.delete(`/v1/destinations/${id}?force=true`)).expect(204);
  });

  it('retry after a 4xx reply with the same Message-ID, and stop after a 5xx', async () => {
    const id = await register(live);
    const recordOf = async (event: string): Promise<Json> =>
      (await live.api.get(`/v1/destinations/${id}/deliveries/${event}`)).body;
    mailbox.refusals = [451];
    mailbox.messages.length = 0;
    const later = await findEventId(live, (await submitTicket(live))['id']);
    const message = await until('the second try', () => mailbox.messages[0]);
    expect(readHeader(message, 'Message-ID')).toBe(`<${later}.${id}@service.example>`);
    const recorded = await until('its record', async () => {
      const record = await recordOf(later);
      return record['status'] === 'delivered' ? record : null;
    });
    expect(recorded['attempt_count']).toBe(2);
    mailbox.refusals = [552];
    const before = mailbox.attempts;
    const never = await findEventId(live, (await submitTicket(live))['id']);
    const failed = await until('the failure', async () => {
      const record = await recordOf(never);
      return record['status'] === 'failed' ? record : null;
    });
    expect(failed).toMatchObject({ last_status_code: 552, attempt_count: 1 });
    expect(mailbox.attempts).toBe(before + 1);
    (await live.api.delete(`/v1/destinations/${id}?force=true`)).expect(204);
  });

  it('continue after ten messages in a row were permanently refused', async () => {
    const id = await register(live);
    mailbox.refusals = Array.from({ length: 10 }, () => 552);
    mailbox.messages.length = 0;
    await Promise.all(Array.from({ length: 10 }, () => submitTicket(live)));
    await until('the end of all ten', async () => {
      const { data } = await live.api.get(`/v1/destinations/${id}/deliveries?status=failed`);
      return data.length === 10;
    });
    const next = await findEventId(live, (await submitTicket(live))['id']);
    const message = await until('the next one', () => mailbox.messages[0]);
    expect(readHeader(message, 'X-Service-Event-Id')).toBe(next);
    (await live.api.delete(`/v1/destinations/${id}?force=true`)).expect(204);
  });

  it('keep messages of the test environment in the outbox', async () => {
    const before = mailbox.attempts;
    const id = await register(test, {
      reply_to_subscriber: true,
      subject_template:
        '{{tenant.name}}: {{ data.subject }} <{{subscriber.email}}> {{data.nothing}}',
    });
    const submitted = await submitTicket(test, { subject: 'Line one\r\nBcc: all@example.com' });
    const event = await findEventId(test, submitted['id']);
    const [message] = await until('the outbox', async () => {
      const { data } = await test.api.get('/v1/test_helpers/outbox');
      return data.length > 0 ? data : null;
    });
    expect(message).toMatchObject({
      event_id: event,
      destination_id: id,
      to: 'help@example.com',
      reply_to: 'ada@example.com',
      subject: 'Acme Magazine: Line oneBcc: all@example.com <ada@example.com>',
      headers: { 'X-Service-Event-Id': event, 'X-Service-Ticket-Id': submitted['id'] },
    });
    expect(mailbox.attempts).toBe(before);
    expect((await live.api.get('/v1/test_helpers/outbox')).refusal.slice(0, 2)).toEqual([
      403,
      'test_helpers_live_forbidden',
    ]);
    const preview = (await test.api.post(`/v1/destinations/${id}/preview`, { event_id: event })).ok;
    expect(preview['headers']).toMatchObject({ Subject: message?.['subject'] });
    expect(preview['body']).toBe(message?.['text']);
    expect((await test.api.post(`/v1/destinations/${id}/test`)).ok).toMatchObject({
      status_code: 250,
    });
    const [trial, earlier] = (await test.api.get('/v1/test_helpers/outbox')).data;
    expect(trial).toMatchObject({ destination_id: id, to: message?.['to'] });
    expect(earlier).toEqual(message);
  });

  it('refuse invalid configurations', async () => {
    const body = { type: 'email_fallback', email: 'help@example.com' };
    for (const [more, status, code, param] of [
      [{ event_types: ['ticket.*'] }, 400, 'parameter_invalid', 'event_types'],
      [{ event_types: ['payment.failed'] }, 400, 'parameter_invalid', 'event_types'],
      [{ subject_template: '{{data.topic}' }, 400, 'template_invalid', 'subject_template'],
      [{ subject_template: 'data.topic}}' }, 400, 'template_invalid', 'subject_template'],
      [{ subject_template: '{{secrets.key}}' }, 400, 'template_invalid', 'subject_template'],
      [{ subject_template: '{{}}' }, 400, 'template_invalid', 'subject_template'],
      [{ url: 'https://example.com' }, 400, 'parameter_invalid', 'url'],
      [{ pii_mode: 'minimal' }, 400, 'parameter_invalid', 'pii_mode'],
      [{ email: 'nobody' }, 400, 'parameter_invalid', 'email'],
      [{ email: undefined }, 400, 'parameter_missing', 'email'],
    ] as const) {
      const answer = await test.api.post('/v1/destinations', { ...body, ...more });
      expect(answer.refusal).toEqual([status, code, param]);
    }
    const accepted = { ...body, event_types: ['ticket.submitted'] };
    const created = (await test.api.post('/v1/destinations', accepted)).created;
    expect(created).not.toHaveProperty('signing_secret');
    expect(created).not.toHaveProperty('url');
    const rotated = await test.api.post(
      `/v1/destinations/${created['id'] as string}/rotate-secret`,
    );
    expect(rotated.refusal.slice(0, 2)).toEqual([409, 'invalid_state_transition']);
  });

  it('write .eml files if no server is configured, and delete them with their subscriber', async () => {
    const shared = await RunningService.shared();
    const tenant = await shared.tenant('live');
    const id = await register(tenant);
    const gone = await submitTicket(tenant);
    const directory = join(shared.dataDir, 'mail');
    const listFilesOfDestination = (): string[] =>
      (shared.exists('mail') ? readdirSync(directory) : []).filter((name) =>
        name.endsWith(`.${id}.eml`),
      );
    const file = await until('the file', () => listFilesOfDestination()[0]);
    expect(file).toMatch(/^evt_\w+\.dest_\w+\.eml$/);
    expect(readHeader(readFileSync(join(directory, file), 'utf8'), 'Subject')).toBe(
      '[cancel] Good bye',
    );
    await submitTicket(tenant);
    const both = await until('the other file', () => {
      const names = listFilesOfDestination();
      return names.length === 2 ? names : null;
    });
    (await tenant.api.delete(`/v1/subscribers/${String(gone['subscriber_id'])}`)).expect(200);
    expect(listFilesOfDestination()).toEqual(both.filter((name) => name !== file));
  });
});
