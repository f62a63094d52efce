import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { databases } from '../support/databases';
import { RunningService, type SharedService, type TestTenant } from '../support/service';
import { until } from '../support/until';

describe.each(databases)('Idempotency-Key, on $name SQL', (database) => {
  let service: SharedService;
  let tenant: TestTenant;
  let subscriber: string;

  beforeAll(async () => {
    service = await RunningService.shared(database);
    tenant = await service.tenant();
    const created = await tenant.api.post('/v1/subscribers', { email: 'ada@example.com' });
    subscriber = created.created['id'] as string;
  });

  const submit = (key: string, fields: Record<string, unknown> = {}) =>
    tenant.api.post(
      '/v1/tickets',
      { subscriber_id: subscriber, topic: 'other', ...fields },
      { 'idempotency-key': key },
    );

  const countTickets = async (): Promise<number> =>
    (await tenant.api.get('/v1/tickets?limit=100')).data.length;

  it('answers a repeat with the first response and has no second effect', async () => {
    const before = await countTickets();
    const first = await submit('one');
    const again = await submit('one');
    expect(again.body).toEqual(first.created);
    expect(again.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const name of ['etag', 'x-service-log-position'])
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name) ?? name]);
    expect(await countTickets()).toBe(before + 1);
  });

  it('ignores the order of fields', async () => {
    const first = await submit('order', { subject: 'a', priority: 'high' });
    const body = { priority: 'high', subject: 'a', topic: 'other', subscriber_id: subscriber };
    const again = await tenant.api.post('/v1/tickets', body, { 'idempotency-key': 'order' });
    expect(again.body).toEqual(first.created);
  });

  it('treats no body, an empty one and {} as equal', async () => {
    const bodies = [undefined, '{}', ''];
    for (const [i, first] of bodies.entries()) {
      const { id } = (await submit(`for empty ${i}`)).created;
      const send = (body: string | undefined) => {
        const headers = { 'content-type': 'application/json', 'idempotency-key': `empty ${i}` };
        return tenant.api.send('POST', `/v1/tickets/${String(id)}/close`, { body, headers });
      };
      const { ok } = await send(first);
      for (const body of bodies) {
        const again = await send(body);
        expect([again.ok, again.headers.get('idempotent-replayed')]).toEqual([ok, 'true']);
      }
    }
  });

  it('is refused for a different request', async () => {
    await submit('two');
    expect((await submit('two', { topic: 'cancel' })).refusal).toEqual([
      422,
      'idempotency_key_reused',
      'Idempotency-Key',
    ]);
  });

  it('lets one of many concurrent requests run', async () => {
    const before = await countTickets();
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit('many')));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    for (const { status, headers } of answers) {
      if (status === 409) expect(headers.get('retry-after')).toBe('1');
    }
    expect(await countTickets()).toBe(before + 1);
    expect((await submit('many')).status).toBe(201);
  });

  it('is free after a validation error, and kept after a refusal', async () => {
    expect((await submit('three', { topic: 'no such' })).status).toBe(400);
    expect((await submit('three')).status).toBe(201);
    const missing = { subscriber_id: 'subscriber_0000000000000000' };
    expect((await submit('four', missing)).status).toBe(404);
    const again = await submit('four', missing);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([404, 'true']);
  });

  it('is free after a version conflict, so that the right If-Match works with it', async () => {
    const path = `/v1/subscribers/${subscriber}`;
    const change = (etag: string) =>
      tenant.api.patch(path, { tags: [etag] }, { 'idempotency-key': 'match', 'if-match': etag });
    expect((await change('"999"')).refusal).toEqual([409, 'version_conflict', 'If-Match']);
    const etag = (await tenant.api.get(path)).headers.get('etag')!;
    const changed = await change(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('idempotent-replayed')).toBeNull();
  });

  it('belongs to one tenant and environment', async () => {
    await submit('five');
    const other = await service.tenant();
    const { id } = (await other.api.post('/v1/subscribers', { email: 'ben@example.com' })).created;
    const ticket = { subscriber_id: id, topic: 'cancel' };
    (await other.api.post('/v1/tickets', ticket, { 'idempotency-key': 'five' })).expect(201);
  });

  it('shows a repeat according to the rights of the repeating key', async () => {
    const scopes = ['tickets:write', 'subscribers:write', 'destinations:write'];
    const issue = { environment: 'test', name: 'without personal data', scopes };
    const keys = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const blind = service.createApi(
      (await service.operator.post(keys, issue)).created['key'] as string,
    );
    const register = { email: 'grace@example.com' };
    const one = { 'idempotency-key': 'grace' };
    const seen = (await tenant.api.post('/v1/subscribers', register, one)).created;
    expect(seen['email']).toBe('grace@example.com');
    const repeated = await blind.post('/v1/subscribers', register, one);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(repeated.created['id']).toBe(seen['id']);
    expect(JSON.stringify(repeated.body)).not.toContain('grace');

    const other = { 'idempotency-key': 'grace, made blindly' };
    expect((await blind.post('/v1/subscribers', register, other)).created).not.toHaveProperty(
      'email',
    );
    const whole = (await tenant.api.post('/v1/subscribers', register, other)).created;
    expect(whole['email']).toBe('grace@example.com');
  });

  it('shows a secret again only to the key that created it', async () => {
    const destination = { type: 'https_webhook', url: 'https://example.com/hook' };
    const once = { 'idempotency-key': 'a destination of my own' };
    const make = (api = tenant.api) => api.post('/v1/destinations', destination, once);
    const made = (await make()).created;
    expect(made['signing_secret']).toMatch(/^whsec_/);
    expect((await make()).created).toEqual(made);
    const another = await service.createKey(tenant.id, 'test');
    expect((await make(another.api)).created).toEqual({ ...made, signing_secret: '[hidden]' });
  });

  it('answers no repeat to a key without the scope', async () => {
    await submit('scoped');
    const path = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const issue = { environment: 'test', name: 'reader', scopes: ['tickets:read'] };
    const { key } = (await service.operator.post(path, issue)).created;
    const refused = await service
      .createApi(key as string)
      .post(
        '/v1/tickets',
        { subscriber_id: subscriber, topic: 'other' },
        { 'idempotency-key': 'scoped' },
      );
    expect(refused.refusal.slice(0, 2)).toEqual([403, 'insufficient_scope']);
    expect((await submit('scoped')).headers.get('idempotent-replayed')).toBe('true');
  });

  const buildLine = (name: string): string =>
    JSON.stringify({ kind: 'subscriber', external_id: name, email: `${name}@example.com` });

  const upload = (key: string, body: string) => {
    const headers = { 'idempotency-key': key, 'content-type': 'application/x-ndjson' };
    return tenant.api.send('POST', '/v1/imports', { body, headers });
  };

  const countNamed = async (name: string): Promise<number> =>
    (await tenant.api.get(`/v1/subscribers?external_id=${name}`)).data.length;

  const waitForImport = (id: unknown) =>
    until('the import', async () => {
      const { ok } = await tenant.api.get(`/v1/imports/${String(id)}`);
      return ok['finished_at'] === null ? null : ok;
    });

  /**
   * Waits until a process projects again. On a separate database it takes over only when the dead
   * process has been silent for a while.
   */
  const waitUntilProjecting = async (): Promise<void> => {
    const { id } = (await tenant.api.post('/v1/subscribers', { email: 'new@example.com' })).created;
    await until('what was written last', async () => {
      const { data } = await tenant.api.get('/v1/subscribers?limit=1');
      return data[0]?.['id'] === id;
    });
  };

  it('identifies one file: a repeat gets its response, and another file is refused', async () => {
    const file = `${buildLine('file-1')}\n${buildLine('file-2')}\n`;
    const first = await upload('file', file);
    const again = await upload('file', file);
    expect(again.expect(202)).toEqual(first.expect(202));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const other of [buildLine('file-3'), `${file}\n`, file.trimEnd(), '']) {
      const { status, refusal } = await upload('file', other);
      expect([status, refusal[1]]).toEqual([422, 'idempotency_key_reused']);
    }
    await service.kill();
    await service.run();
    await waitUntilProjecting();
    expect((await upload('file', buildLine('file-3'))).status).toBe(422);
    expect((await upload('file', file)).expect(202)).toEqual(first.body);
    await waitForImport(first.body['id']);
    expect(await Promise.all([countNamed('file-1'), countNamed('file-3')])).toEqual([1, 0]);
  });

  /** Sends a request with an incomplete body. */
  const begin = (key: string, body: string): ClientRequest => {
    const begun = request(`${service.url}/v1/imports`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tenant.key}`,
        'idempotency-key': key,
        'content-type': 'application/x-ndjson',
      },
    });
    begun.on('error', () => undefined).write(body);
    return begun;
  };

  it('is in use while its file is sent, and free for any file after the upload was cut off', async () => {
    // Either of the two may be processed first. The other one is refused.
    const both = [begin('cut', `${buildLine('cut-1')}\n`), begin('cut', `${buildLine('cut-2')}\n`)];
    const [refused, index] = await Promise.race(
      both.map(async (each, i): Promise<[IncomingMessage, number]> => {
        const [response] = (await once(each, 'response')) as [IncomingMessage];
        return [response, i];
      }),
    );
    expect(refused.statusCode).toBe(409);
    expect(((await json(refused)) as { error: unknown }).error).toMatchObject({
      code: 'idempotency_key_in_use',
      param: 'Idempotency-Key',
    });
    both[1 - index]?.destroy();
    const answer = await until('the key to be free', async () => {
      const next = await upload('cut', buildLine('cut-3'));
      return next.status === 409 ? null : next;
    });
    await waitForImport(answer.expect(202)['id']);
    const names = ['cut-1', 'cut-2', 'cut-3'];
    expect(await Promise.all(names.map(countNamed))).toEqual([0, 0, 1]);
    expect((await upload('cut', buildLine('cut-1'))).status).toBe(422);
    both[index]?.destroy();
  });

  it('survives a restart, including secrets', async () => {
    const body = { environment: 'test', name: 'once' };
    const path = `/operator/v1/tenants/${tenant.id}/api-keys`;
    const first = await service.operator.post(path, body, { 'idempotency-key': 'key' });
    await service.kill();
    await service.run();
    const again = await service.operator.post(path, body, { 'idempotency-key': 'key' });
    expect(again.body['key']).toBe(first.created['key']);
  });
});
