import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { databases } from '../support/databases';
import { Receiver } from '../support/receiver';
import { RunningService, type SharedService, type TestTenant } from '../support/service';
import { until } from '../support/until';

type Json = Record<string, unknown>;

describe.each(databases)('imports, on $name SQL', (database) => {
  let service: SharedService;
  let tenant: TestTenant;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    receiver = await Receiver.start();
    const destination = { type: 'https_webhook', url: receiver.url, environment: 'test' };
    const path = `/operator/v1/tenants/${tenant.id}/destinations`;
    (await service.operator.post(path, destination)).expect(201);
    const plan = { name: 'Pro', amount: 900, currency: 'USD', interval: 'month' };
    await tenant.api.put('/v1/plans/pro', plan);
    await tenant.api.put('/v1/plans/euro', { ...plan, currency: 'EUR' });
  });

  afterAll(async () => {
    await receiver.close();
  });

  const upload = async (lines: readonly (Json | string)[], query = ''): Promise<string> => {
    const body = lines
      .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      .join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    const answer = await tenant.api.send('POST', `/v1/imports${query}`, { body, headers });
    expect(answer.expect(202)).toMatchObject({ status: 'queued', lines_total: lines.length });
    return answer.body['id'] as string;
  };

  it('accept a short list of lines as one JSON body', async () => {
    const lines = [buildSubscriberLine('json-1'), { kind: 'nonsense', external_id: 'json-2' }];
    const accepted = await tenant.api.post('/v1/imports', { lines });
    expect(accepted.expect(202)).toMatchObject({ status: 'queued', lines_total: 2 });
    const id = accepted.body['id'] as string;
    expect(await waitForEnd(id)).toMatchObject({ lines_ok: 1, lines_failed: 1 });
    expect((await tenant.api.get(`/v1/imports/${id}/errors`)).data).toMatchObject([{ line: 2 }]);
    for (const [body, code, param] of [
      [{}, 'parameter_missing', 'lines'],
      [{ lines: [] }, 'parameter_invalid', 'lines'],
      [{ lines: ['text'] }, 'parameter_invalid', 'lines'],
      [{ lines: Array(201).fill({}) }, 'parameter_invalid', 'lines'],
      [{ lines, more: 1 }, 'parameter_unknown', 'more'],
    ] as const) {
      expect((await tenant.api.post('/v1/imports', body)).refusal).toEqual([400, code, param]);
    }
  });

  const waitForEnd = (id: string): Promise<Json> =>
    until(
      'the import to end',
      async () => {
        const { ok } = await tenant.api.get(`/v1/imports/${id}`);
        return ['queued', 'in_progress'].includes(ok['status'] as string) ? null : ok;
      },
      60_000,
    );

  const buildSubscriberLine = (n: string): Json => ({
    kind: 'subscriber',
    external_id: n,
    email: `${n}@example.com`,
    created_at: '2024-01-31T10:00:00Z',
    tags: ['moved'],
    metadata: { city: 'Paris' },
  });

  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString();
  const before = new Date(Date.now() - 10 * 86_400_000).toISOString();

  const buildSubscriptionLine = (n: string, status = 'active', fields: Json = {}): Json => ({
    kind: 'subscription',
    external_id: `s-${n}`,
    subscriber_external_id: n,
    plan: 'pro',
    status,
    current_period_start: before,
    current_period_end: soon,
    ...fields,
  });

  const buildPaymentLine = (n: string, status = 'succeeded', suffix = ''): Json => ({
    kind: 'payment',
    external_id: `p-${n}${suffix}`,
    subscription_external_id: `s-${n}`,
    amount: 900,
    currency: 'USD',
    status,
    occurred_at: before,
  });

  const record = async (n: string): Promise<Json> =>
    (await tenant.api.get(`/v1/subscribers?external_id=${n}`)).data[0]!;

  it('create subscribers, subscriptions in every status, and payments', async () => {
    const statuses = ['active', 'trialing', 'paused', 'cancelled', 'lapsed'];
    const lines = statuses.flatMap((status) => [
      buildSubscriberLine(status),
      buildSubscriptionLine(status, status),
      buildPaymentLine(status),
    ]);
    const id = await upload([
      ...lines,
      buildPaymentLine('active', 'refunded', '-2'),
      buildPaymentLine('active', 'failed', '-3'),
    ]);
    expect(await waitForEnd(id)).toMatchObject({
      status: 'completed',
      lines_ok: lines.length + 2,
      lines_failed: 0,
    });
    for (const status of statuses) {
      expect(await record(status)).toMatchObject({
        external_id: status,
        email: `${status}@example.com`,
        created_at: '2024-01-31T10:00:00.000Z',
        tags: ['moved'],
        metadata: { city: 'Paris' },
        subscription: { status, plan: 'pro' },
        total_paid: 900,
      });
    }
    const running = await record('active');
    expect(running['subscription']).toMatchObject({
      current_period_start: before,
      current_period_end: soon,
    });
    const types = await tenant.api.get(
      `/v1/subscribers/${String(running['id'])}/timeline?order=asc`,
    );
    expect(types.data.map(({ type }) => type).sort()).toEqual([
      'payment.failed',
      'payment.refunded',
      'payment.succeeded',
      'payment.succeeded',
      'subscriber.created',
      'subscription.activated',
    ]);
  });

  it('keep the latest payment the latest, in whatever order payments arrive', async () => {
    const old = {
      ...buildPaymentLine('order', 'succeeded', '-old'),
      occurred_at: '2024-02-01T00:00:00Z',
    };
    const lines = [
      buildSubscriberLine('order'),
      buildSubscriptionLine('order'),
      buildPaymentLine('order'),
    ];
    expect(await waitForEnd(await upload([...lines, old]))).toMatchObject({ lines_failed: 0 });
    const older = { ...old, external_id: 'p-order-older', occurred_at: '2024-01-31T12:00:00Z' };
    const euro = {
      ...buildSubscriptionLine('order', 'cancelled'),
      external_id: 's-order-eur',
      plan: 'euro',
    };
    const other = {
      ...{ ...older, external_id: 'p-order-eur', currency: 'EUR', amount: 50 },
      subscription_external_id: 's-order-eur',
    };
    expect(await waitForEnd(await upload([older, euro, other]))).toMatchObject({ lines_failed: 0 });
    expect(await record('order')).toMatchObject({
      last_payment_at: before,
      paid_currency: 'USD',
      total_paid: 2700,
      totals_by_currency: { USD: 2700, EUR: 50 },
    });
  });

  it('deliver nothing unless asked to', async () => {
    const { id: silent } = await record('active');
    await waitForEnd(await upload([buildSubscriberLine('loud')], '?deliver=true'));
    const loud = await until('the delivered one', () => receiver.received[0]);
    expect(loud.event).toMatchObject({
      type: 'subscriber.created',
      subscriber: { email: 'loud@example.com' },
    });
    expect(receiver.received).toHaveLength(1);
    // Later events are live.
    await tenant.api.patch(`/v1/subscribers/${String(silent)}`, { tags: ['live'] });
    const live = await receiver.next('subscriber.updated');
    expect(live.event).toMatchObject({ subscriber: { id: silent } });
    expect(receiver.received).toHaveLength(2);
    const [event] = (await tenant.api.get(`/v1/subscribers/${String(silent)}/events?limit=1`)).data;
    const answers = await tenant.api.get(`/v1/events/${String(event!['id'])}/deliveries`);
    expect(answers.data).toMatchObject([{ status: 'filtered' }]);
  });

  it('count a repeated line as ok and change nothing', async () => {
    const lines = [
      buildSubscriberLine('twice'),
      buildSubscriptionLine('twice'),
      buildPaymentLine('twice'),
    ];
    await waitForEnd(await upload(lines));
    const first = await record('twice');
    expect(await waitForEnd(await upload([...lines, ...lines]))).toMatchObject({
      status: 'completed',
      lines_ok: 6,
    });
    expect(await record('twice')).toEqual(first);
    // The order of fields and the time zone of an instant do not matter.
    const rewritten = lines.map((line) => Object.fromEntries(Object.entries(line).reverse()));
    const zoned = { ...buildSubscriberLine('twice'), created_at: '2024-01-31T11:00:00.000+01:00' };
    expect(await waitForEnd(await upload([...rewritten, zoned]))).toMatchObject({ lines_ok: 4 });
    expect(await record('twice')).toEqual(first);
    // A line with the same name and another content is not a repeat.
    const other = { ...buildSubscriberLine('twice'), email: 'other@example.com' };
    const id = await upload([other]);
    expect(await waitForEnd(id)).toMatchObject({
      status: 'completed_with_errors',
      lines_failed: 1,
    });
  });

  it('refuse every line of an erased subscriber alike, so that no line tells what was erased', async () => {
    const lines = [
      buildSubscriberLine('erased'),
      buildSubscriptionLine('erased'),
      buildPaymentLine('erased'),
    ] as const;
    const [line, subscription, payment] = lines;
    await waitForEnd(await upload(lines));
    const [subscriber] = (await tenant.api.get('/v1/subscribers?external_id=erased')).data;
    (await tenant.api.delete(`/v1/subscribers/${String(subscriber!['id'])}`)).expect(200);
    const files = [
      lines,
      [line, { ...line, email: 'another@example.com' }],
      [subscription],
      [{ ...subscription, external_id: 'another-subscription' }],
      [payment],
      [{ ...payment, external_id: 'another-payment' }],
    ];
    for (const file of files) {
      const id = await upload(file);
      expect(await waitForEnd(id)).toMatchObject({ lines_ok: 0, lines_failed: file.length });
      const { data } = await tenant.api.get(`/v1/imports/${id}/errors`);
      expect(data.map(({ code }) => code)).toEqual(file.map(() => 'subscriber_erased'));
    }
  });

  it('accept history before 1970', async () => {
    const id = await upload([
      { ...buildSubscriberLine('old'), created_at: '1955-11-05T06:15:00Z' },
    ]);
    expect(await waitForEnd(id)).toMatchObject({ status: 'completed', lines_ok: 1 });
    const { data } = await tenant.api.get('/v1/subscribers?created_before=1970-01-01T00:00:00Z');
    expect(data).toMatchObject([{ created_at: '1955-11-05T06:15:00.000Z' }]);
  });

  it('report bad lines by their number, and continue', async () => {
    const id = await upload([
      '{"kind"',
      buildSubscriberLine('good'),
      { ...buildSubscriberLine('bad'), email: 'nobody' },
      { kind: 'martian' },
      { kind: 'constructor', external_id: 'cc' },
      '{"kind":"subscriber","external_id":"nul","email":"n@example.com","tags":["a\\u0000"]}',
      '{"kind":"subscriber","external_id":"half","email":"h@example.com","tags":["\\ud800"]}',
      { ...buildSubscriberLine('odd'), metadata: { toString: 'x' } },
      { ...buildSubscriberLine('bad'), zz: 1 },
      { kind: 'subscriber', external_id: 'x' },
      { ...buildSubscriptionLine('good'), plan: 'no such plan' },
      buildSubscriptionLine('nobody'),
      { ...buildPaymentLine('good'), amount: 1.5 },
      buildPaymentLine('nobody'),
      { ...buildSubscriptionLine('good'), current_period_end: '2001-01-01T00:00:00Z' },
    ]);
    expect(await waitForEnd(id)).toMatchObject({ lines_ok: 1, lines_failed: 14 });
    const errors = (await tenant.api.get(`/v1/imports/${id}/errors`)).data;
    expect(errors[0]!['message']).toBe('The line is not valid JSON: column 8.');
    expect(errors.map(({ line, code, param }) => [line, code, param])).toEqual([
      [1, 'invalid_json', null],
      [3, 'parameter_invalid', 'email'],
      [4, 'parameter_invalid', 'kind'],
      [5, 'parameter_invalid', 'kind'],
      [6, 'parameter_invalid', 'tags[0]'],
      [7, 'parameter_invalid', 'tags[0]'],
      [8, 'parameter_unknown', 'metadata.toString'],
      [9, 'parameter_unknown', 'zz'],
      [10, 'parameter_missing', 'email'],
      [11, 'resource_not_found', 'plan'],
      [12, 'resource_not_found', 'subscriber_external_id'],
      [13, 'parameter_invalid', 'amount'],
      [14, 'resource_not_found', 'subscription_external_id'],
      [15, 'parameter_invalid', 'current_period_end'],
    ]);
    const page = (await tenant.api.get(`/v1/imports/${id}/errors?limit=4`)).ok;
    const rest = await tenant.api.get(
      `/v1/imports/${id}/errors?starting_after=${String(page['next_cursor'])}`,
    );
    expect(rest.data).toEqual(errors.slice(4));
  });

  it('refuse a payment in a currency that its subscription does not have', async () => {
    const euros = { ...buildPaymentLine('eur'), currency: 'EUR' };
    const id = await upload([
      buildSubscriberLine('eur'),
      buildSubscriptionLine('eur'),
      euros,
      buildPaymentLine('eur'),
    ]);
    expect(await waitForEnd(id)).toMatchObject({ lines_ok: 3, lines_failed: 1 });
    const [error] = (await tenant.api.get(`/v1/imports/${id}/errors`)).data;
    expect(error).toMatchObject({ line: 3, code: 'currency_mismatch', param: 'currency' });
  });

  it('refuse text that is not UTF-8', async () => {
    const [zoe, good] = [buildSubscriberLine('zoë'), buildSubscriberLine('ascii')].map((each) =>
      JSON.stringify(each),
    );
    const body = Buffer.concat([Buffer.from(zoe!, 'latin1'), Buffer.from(`\n${good!}\n${zoe!}`)]);
    const answer = await fetch(`${service.url}/v1/imports`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.key}`,
        'content-type': 'application/x-ndjson',
      },
      body,
    });
    const { id } = (await answer.json()) as { id: string };
    expect(await waitForEnd(id)).toMatchObject({ lines_total: 3, lines_ok: 2, lines_failed: 1 });
    const errors = (await tenant.api.get(`/v1/imports/${id}/errors`)).data;
    expect(errors[0]).toMatchObject({ line: 1, code: 'invalid_json' });
  });

  it('accept files as editors and spreadsheets write them', async () => {
    const written = [
      `\ufeff${JSON.stringify(buildSubscriberLine('first'))}`,
      '',
      '{"kind"',
      ' \t',
      JSON.stringify(buildSubscriberLine('second')),
      JSON.stringify({ ...buildSubscriberLine('third'), email: 'nobody' }),
      '',
      '',
    ];
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = written.join('\r\n');
    const answer = await tenant.api.send('POST', '/v1/imports', { body, headers });
    expect(answer.expect(202)).toMatchObject({ lines_total: 4 });
    const id = answer.body['id'] as string;
    expect(await waitForEnd(id)).toMatchObject({ lines_total: 4, lines_ok: 2, lines_failed: 2 });
    const errors = (await tenant.api.get(`/v1/imports/${id}/errors`)).data;
    expect(errors.map(({ line, code }) => [line, code])).toEqual([
      [3, 'invalid_json'],
      [6, 'parameter_invalid'],
    ]);
    const blank = await tenant.api.send('POST', '/v1/imports', { body: '\n\n', headers });
    const nothing = { status: 'completed', lines_total: 0, lines_ok: 0, lines_failed: 0 };
    expect(await waitForEnd(blank.expect(202)['id'] as string)).toMatchObject(nothing);
  });

  it('accept only lines of JSON, and show only their own tenant’s imports', async () => {
    for (const type of ['text/plain', 'no type', '']) {
      const headers = { 'content-type': type };
      const wrong = await tenant.api.send('POST', '/v1/imports', { body: '{}', headers });
      expect(wrong.refusal).toEqual([415, 'unsupported_media_type', 'Content-Type']);
      const { message } = wrong.body['error'] as Json;
      expect(message).toBe('Send the body as application/x-ndjson or application/json.');
    }
    const headers = { 'content-type': 'application/x-ndjson' };
    const elsewhere = await tenant.api.send('POST', '/v1/tickets', { body: '{}', headers });
    expect(elsewhere.refusal.slice(0, 2)).toEqual([415, 'unsupported_media_type']);
    const id = await upload([buildSubscriberLine('mine')]);
    const stranger = await service.tenant();
    expect((await stranger.api.get(`/v1/imports/${id}`)).refusal[0]).toBe(404);
    await waitForEnd(id);
  });

  it('continue after a crash of the process, and delete the file', async () => {
    const names = Array.from({ length: 1_100 }, (_, i) => `many${i}`);
    const id = await upload(names.map(buildSubscriberLine));
    await until('some progress', async () => {
      const { ok } = await tenant.api.get(`/v1/imports/${id}`);
      return Number(ok['lines_ok']) > 0;
    });
    await service.kill();
    await service.run();
    expect(await waitForEnd(id)).toMatchObject({ status: 'completed', lines_ok: names.length });
    const { data } = await tenant.api.get(
      `/v1/events?event_types=subscriber.created&created_before=2024-02-01T00:00:00Z&limit=100`,
    );
    expect(data).toHaveLength(100);
    // The files are read while no process writes.
    await service.stop();
    const files = listFiles(service.dataDir).map((file) => readFileSync(file));
    expect(files.some((file) => file.includes('many77@example.com'))).toBe(false);
    expect(files.some((file) => file.includes(id))).toBe(true);
  });
});

const listFiles = (dir: string): string[] =>
  readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    const found = statSync(path);
    if (found.isDirectory()) return listFiles(path);
    return found.isFile() ? [path] : [];
  });
