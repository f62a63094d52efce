import { Api, type Answer } from '../support/api';
import {
  type DocumentedOperation,
  hasBody,
  isList,
  listWrongValues,
  readDocumentedOperations,
  takesNoBody,
} from '../support/documented-operations';
import { countRuns } from '../support/property-runs';
import { RunningService, type TestTenant } from '../support/service';

/**
 * This suite checks that every operation of the OpenAPI document refuses bad input, with the body
 * of D-80 and without a partial effect. It is generated from the document, so a new operation is
 * covered without a new test. A check with several inputs sends a share of them to each operation
 * in `npm test`, in turn, and all of them in `npm run test:long`.
 */
describe('bad input', () => {
  let service: RunningService;
  let tenant: TestTenant;
  let operations: DocumentedOperation[];

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
    // The console's operations need a session instead of a key: see console-sessions.spec.ts.
    operations = readDocumentedOperations(
      (await tenant.api.get('/openapi.json')).ok,
      tenant.id,
    ).filter(({ path }) => !path.startsWith('/console/'));
  });

  const as = ({ path }: DocumentedOperation): Api =>
    path.startsWith('/operator/') ? service.operator : tenant.api;

  /** Runs a check on each operation and reports all that fail. */
  const checkEach = async (
    chosen: (operation: DocumentedOperation) => boolean,
    check: (operation: DocumentedOperation) => Promise<string | null>,
  ): Promise<void> => {
    const failures: string[] = [];
    const some = operations.filter(chosen);
    expect(some.length).toBeGreaterThan(0);
    for (const operation of some) {
      const failure = await check(operation);
      if (failure !== null) failures.push(`${operation.method} ${operation.path}: ${failure}`);
    }
    expect(failures).toEqual([]);
  };

  let turn = 0;
  /** Chooses the inputs to send to the next operation. */
  const chooseInputs = <Input>(inputs: readonly Input[]): Input[] => {
    const first = turn;
    const count = countRuns(inputs.length);
    turn += count;
    return inputs.map((_, i) => inputs[(first + i) % inputs.length] as Input).slice(0, count);
  };

  const describeUnexpected = (answer: Answer, status: number, code: string): string | null => {
    const shape = findShapeFault(answer);
    if (shape !== null) return shape;
    const [got, gotCode] = answer.refusal;
    return got === status && gotCode === code
      ? null
      : `${got} ${String(gotCode)}, not ${status} ${code}`;
  };

  it('is refused without a key', async () => {
    let ids = 0;
    // Each call has another key id, because wrong secrets of one id are limited.
    const createUnknownKey = (): string =>
      `rk_live_${String((ids += 1)).padStart(8, '0')}_${'0'.repeat(43)}`;
    const credentials = [
      [() => '', 'api_key_missing'],
      [() => 'nonsense', 'api_key_invalid'],
      [createUnknownKey, 'api_key_invalid'],
    ] as const;
    await checkEach(
      () => true,
      async ({ method, url }) => {
        for (const [createCredential, code] of chooseInputs(credentials)) {
          const api = new Api(() => service.url, createCredential());
          const failure = describeUnexpected(await api.send(method, url, {}), 401, code);
          if (failure !== null) return failure;
        }
        return null;
      },
    );
  });

  it('is refused for a key whose prefix names another environment', async () => {
    const api = new Api(() => service.url, tenant.key.replace('rk_test_', 'rk_live_'));
    expect((await api.get('/v1/tickets')).refusal).toEqual([401, 'api_key_invalid', null]);
  });

  it('is refused if a name is blank', async () => {
    for (const name of ['', '   ', '\u00a0']) {
      const answer = await service.operator.post('/operator/v1/tenants', { name });
      expect(answer.refusal).toEqual([400, 'parameter_invalid', 'name']);
    }
  });

  it('is refused if a rebuild names no projection', async () => {
    const answer = await service.operator.post('/operator/v1/rebuilds', { projections: [] });
    expect(answer.refusal).toEqual([400, 'parameter_invalid', 'projections']);
  });

  it('is refused if a log position is invalid', async () => {
    for (const position of ['x', '-1', '1.5', '', '12345678901234567890', '1, 2']) {
      const headers = { 'x-service-log-position': position };
      const answer = await tenant.api.get('/v1/plans', headers);
      expect([position, ...answer.refusal]).toEqual([
        position,
        400,
        'parameter_invalid',
        'X-Service-Log-Position',
      ]);
    }
    (await tenant.api.get('/v1/plans', { 'x-service-log-position': '0' })).expect(200);
  });

  it('is refused if a body is not a JSON object', async () => {
    const bodies = [
      ['{"broken"', 'application/json', 400, 'invalid_json'],
      ['{"__proto__":{}}', 'application/json', 400, 'invalid_json'],
      ['[]', 'application/json', 400, 'parameter_invalid'],
      ['"text"', 'application/json', 400, 'parameter_invalid'],
      ['null', 'application/json', 400, 'parameter_invalid'],
      ['a=b', 'application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
      ['<a/>', 'text/xml', 415, 'unsupported_media_type'],
      [`"${'x'.repeat(1_100_000)}"`, 'application/json', 413, 'payload_too_large'],
    ] as const;
    await checkEach(hasBody, async (operation) => {
      for (const [body, type, status, code] of chooseInputs(bodies)) {
        const headers = { 'content-type': type };
        const { method, url } = operation;
        const answer = await as(operation).send(method, url, { body, headers });
        const failure = describeUnexpected(answer, status, code);
        if (failure !== null) return `${body.slice(0, 20)}: ${failure}`;
      }
      return null;
    });
  });

  it('is refused with the place where a body stops being JSON, without its content', async () => {
    const headers = { 'content-type': 'application/json' };
    const readMessage = async (body: string): Promise<unknown> => {
      const answer = await tenant.api.send('POST', '/v1/subscribers', { body, headers });
      expect(answer.refusal).toEqual([400, 'invalid_json', null]);
      return (answer.body['error'] as { message: string }).message;
    };
    expect(await readMessage('{\n  "email": "ada@example.com",\n}')).toBe(
      'The body is not valid JSON: line 3, column 1.',
    );
    expect(await readMessage('{"email": "ada@exam')).toBe(
      'The body is not valid JSON: it ends too early, at line 1, column 20.',
    );
    expect(await readMessage('{"__proto__": {}}')).toContain('a key that no operation accepts');
  });

  it('is refused if a body is compressed', async () => {
    await checkEach(hasBody, async (operation) => {
      for (const encoding of chooseInputs(['gzip', 'br', 'gzip, identity', 'nonsense'])) {
        const headers = { 'content-encoding': encoding };
        const answer = await as(operation).send(operation.method, operation.url, {
          body: '{}',
          headers,
        });
        const failure = describeUnexpected(answer, 415, 'unsupported_media_type');
        if (failure !== null) return `${encoding}: ${failure}`;
      }
      return null;
    });
    const lines = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
    const upload = await tenant.api.send('POST', '/v1/imports', { body: '{}', headers: lines });
    expect(upload.refusal).toEqual([415, 'unsupported_media_type', 'Content-Encoding']);
    const plain = { 'content-encoding': 'identity' };
    const taken = await tenant.api.send('POST', '/v1/tickets', { body: '{}', headers: plain });
    expect(taken.refusal.slice(0, 2)).toEqual([400, 'parameter_missing']);
    const none = { 'content-encoding': 'gzip' };
    expect((await tenant.api.get('/v1/tickets', none)).data).toEqual([]);
  });

  it('is no empty body, which is accepted with any content type', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await tenant.api.send('POST', '/v1/tickets', { body: '', headers });
    expect(answer.refusal.slice(0, 2)).toEqual([400, 'parameter_missing']);
  });

  it('is refused with the name of each unknown field', async () => {
    await checkEach(hasBody, async (operation) => {
      const body = { zz_unknown: 1 };
      const answer = await as(operation).send(operation.method, operation.url, { body });
      return (
        describeUnexpected(answer, 400, 'parameter_unknown') ??
        describeMissingParam(answer, 'zz_unknown')
      );
    });
  });

  it('is refused if an operation takes no fields, but an empty body is accepted', async () => {
    await checkEach(takesNoBody, async (operation) => {
      const { method, url } = operation;
      const body = { zz_unknown: 1 };
      const answer = await as(operation).send(method, url, { body });
      const failure =
        describeUnexpected(answer, 400, 'parameter_unknown') ??
        describeMissingParam(answer, 'zz_unknown');
      // Empty bodies would change existing objects, so only objects that do not exist are used.
      if (failure !== null || !url.includes('some_id')) return failure;
      for (const empty of [undefined, '', '{}']) {
        const headers = { 'content-type': 'application/json' };
        const passed = await as(operation).send(method, url, { body: empty, headers });
        const wrong = describeUnexpected(passed, 404, 'resource_not_found');
        if (wrong !== null) return `${empty ?? 'no body'}: ${wrong}`;
      }
      return null;
    });
  });

  it('is refused with the name of each field of a wrong type', async () => {
    await checkEach(hasBody, async (operation) => {
      for (const [name, schema] of Object.entries(operation.fields)) {
        for (const value of chooseInputs(listWrongValues(schema))) {
          const answer = await as(operation).send(operation.method, operation.url, {
            body: { [name]: value },
          });
          const failure =
            answer.status === 400
              ? describeMissingParam(answer, name)
              : `${name} = ${JSON.stringify(value)} gave ${answer.status}`;
          if (failure !== null) return failure;
        }
      }
      return null;
    });
  });

  it('is refused if the stores cannot contain the text', async () => {
    await checkEach(hasBody, async (operation) => {
      const [name] = Object.keys(operation.fields);
      if (name === undefined) return null;
      const body = `{"${name}":"a\\u0000b"}`;
      return describeUnexpected(
        await as(operation).send(operation.method, operation.url, { body }),
        400,
        'parameter_invalid',
      );
    });
  });

  it('is refused if a name has more than one line', async () => {
    const hasName = ({ fields }: DocumentedOperation): boolean => 'name' in fields;
    await checkEach(hasName, async (operation) => {
      for (const name of chooseInputs([
        'Acme\r\nBcc: x@example.com',
        'a\tb',
        '\u009b',
        'a\u2028b',
      ])) {
        const { method, url } = operation;
        const answer = await as(operation).send(method, url, { body: { name } });
        const failure =
          answer.status === 400 ? describeMissingParam(answer, 'name') : `gave ${answer.status}`;
        if (failure !== null) return `${JSON.stringify(name)}: ${failure}`;
      }
      return null;
    });
    const tenants = '/operator/v1/tenants';
    expect((await service.operator.post(tenants, { name: 'Acme\nInc.' })).refusal).toEqual([
      400,
      'parameter_invalid',
      'name',
    ]);
    const { created } = await service.operator.post(tenants, { name: 'Ümläut & Søn 🙂' });
    expect(created['name']).toBe('Ümläut & Søn 🙂');
    const lines = { name: 'Lines', definition: {}, description: 'One.\nAnother.' };
    (await tenant.api.post('/v1/cohorts', lines)).expect(201);
  });

  it('is refused in unknown and malformed query parameters', async () => {
    await checkEach(isList, async (operation) => {
      const api = as(operation);
      const checks: [string, string][] = [
        ['zz_unknown=1', 'parameter_unknown'],
        ['limit=0', 'limit_out_of_range'],
        ['limit=101', 'limit_out_of_range'],
        ['limit=ten', 'limit_out_of_range'],
        ['starting_after=!!', 'invalid_cursor'],
        ['starting_after=a&ending_before=b', 'cursor_conflict'],
      ];
      for (const [query, code] of chooseInputs(checks)) {
        const failure = describeUnexpected(await api.get(`${operation.url}?${query}`), 400, code);
        if (failure !== null) return `${query}: ${failure}`;
      }
      return null;
    });
  });

  it('is refused with the name of each unknown query parameter of every operation', async () => {
    await checkEach(
      () => true,
      async (operation) => {
        const { method, url, takesLines } = operation;
        const lines = { body: '{}', headers: { 'content-type': 'application/x-ndjson' } };
        const path = `${url}?zz_unknown=1`;
        const answer = await as(operation).send(method, path, takesLines ? lines : {});
        return answer.status === 400
          ? (findShapeFault(answer) ?? describeMissingParam(answer, 'zz_unknown'))
          : `answers ${answer.status}`;
      },
    );
    const { status } = await fetch(`${service.url}/metrics?zz_unknown=1`);
    expect(status).toBe(200);
  });

  it.each(['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00%2B23:59'])(
    'is refused for %s, because its year is out of range',
    async (at) => {
      for (const path of ['subscribers', 'events', 'payments']) {
        const { refusal } = await tenant.api.get(`/v1/${path}?created_after=${at}`);
        expect(refusal).toEqual([400, 'parameter_invalid', 'created_after']);
      }
    },
  );

  it('is refused for names that every object inherits, and for unlimited nesting', async () => {
    const email = 'ada@example.com';
    const deep = `{"email":"${email}","metadata":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`;
    const motion = { name: 'm', kind: 'upsell', offer: { type: 'constructor' } };
    for (const [path, body, code] of [
      ['/v1/subscribers', { email, toString: 'x' }, 'parameter_unknown'],
      ['/v1/subscribers', { email, metadata: { constructor: 'x' } }, 'parameter_unknown'],
      ['/v1/cohorts', { name: 'c', definition: { valueOf: 1 } }, 'parameter_unknown'],
      ['/v1/motions', motion, 'parameter_invalid'],
      ['/v1/test_helpers/events', { type: 'toString' }, 'parameter_invalid'],
      ['/v1/subscribers', deep, 'parameter_invalid'],
    ] as const) {
      const answer = await tenant.api.send('POST', path, { body });
      expect(answer.refusal.slice(0, 2)).toEqual([400, code]);
    }
    const { refusal } = await tenant.api.get('/v1/subscribers?constructor=1');
    expect(refusal).toEqual([400, 'parameter_unknown', 'constructor']);
  });

  it('is answered with 404 for ids that do not exist', async () => {
    await checkEach(
      ({ method, path }) => method === 'GET' && path.includes('{'),
      async (operation) => {
        for (const id of chooseInputs([
          'nonsense',
          'sub_0000000000000000aaaaaaaa',
          'x'.repeat(300),
        ])) {
          const url = operation.path.replaceAll(/\{[^}]+\}/g, id);
          const failure = describeUnexpected(
            await as(operation).get(url),
            404,
            'resource_not_found',
          );
          if (failure !== null) return `${id.slice(0, 20)}: ${failure}`;
        }
        return null;
      },
    );
  });

  it('is answered with 405 and the methods of the path', async () => {
    const answer = await tenant.api.delete('/v1/events');
    expect(answer.refusal).toEqual([405, 'method_not_allowed', null]);
    expect(answer.headers.get('allow')).toContain('GET');
    expect((await tenant.api.get('/v1/nothing')).refusal[1]).toBe('route_not_found');
    expect((await tenant.api.get('/v1/tickets/%zz')).refusal[1]).toBe('parameter_invalid');
  });

  it('is refused in an Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'x'.repeat(256) };
    expect((await tenant.api.post('/v1/tickets', {}, key)).refusal).toEqual([
      400,
      'idempotency_key_invalid',
      'Idempotency-Key',
    ]);
  });

  it('is answered as RFC 9457 if the client asks for it', async () => {
    const answer = await tenant.api.get('/v1/tickets/x', { accept: 'application/problem+json' });
    // Clients generated for Go compare the type with the reference, so it has no charset.
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const refused = await tenant.api.get('/v1/tickets/x');
    expect(refused.headers.get('content-type')).toBe('application/json');
    const listed = await tenant.api.get('/v1/tickets');
    expect(listed.headers.get('content-type')).toBe('application/json');
    expect(answer.body).toMatchObject({
      status: 404,
      code: 'resource_not_found',
      param: 'ticketId',
    });
  });

  it('leaves no event in the log', async () => {
    expect((await tenant.api.get('/v1/events')).data).toEqual([]);
  });
});

/** Returns the fault in the shape of an error; null if there is none. */
const findShapeFault = ({ headers, body }: Answer): string | null => {
  const error = body['error'] as Record<string, unknown> | undefined;
  if (error === undefined) return `no error body: ${JSON.stringify(body).slice(0, 100)}`;
  const wanted = ['code', 'details', 'doc_url', 'errors', 'message', 'param', 'request_id', 'type'];
  if (Object.keys(error).sort().join() !== wanted.join())
    return `fields ${Object.keys(error).join()}`;
  if (headers.get('x-request-id') !== error['request_id']) return 'X-Request-Id differs';
  return /\bat \/|node_modules|Error:/.test(JSON.stringify(error)) ? 'shows its insides' : null;
};

const describeMissingParam = ({ body }: Answer, name: string): string | null => {
  const { errors = [], param } = body['error'] as { errors?: { param: string }[]; param: unknown };
  const params = [param, ...errors.map((each) => each.param)];
  return params.some((each) => String(each).startsWith(name))
    ? null
    : `${name} is not named: ${params.join()}`;
};
