import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { RunningService, type TestTenant } from '../support/service';

/** No client library sends the requests of this suite, which Node's own parser refuses. */
describe('requests that cannot be parsed', () => {
  let service: RunningService;
  let tenant: TestTenant;

  beforeAll(async () => {
    service = await RunningService.shared();
    tenant = await service.tenant();
  });

  /** Returns the response to these bytes until the connection ends. */
  const answerTo = async (request: string): Promise<Raw> => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(request);
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    const [line = '', ...headers] = head.split('\r\n');
    return {
      status: Number(line.split(' ')[1]),
      headers: new Headers(headers.map((each) => each.split(': ') as [string, string])),
      error: (JSON.parse(body) as { error: Record<string, unknown> }).error,
    };
  };

  const get = (...headers: string[]): string =>
    ['GET /v1/tickets HTTP/1.1', ...headers, 'Connection: close', '', ''].join('\r\n');

  const CASES: readonly (readonly [string, string, number, string])[] = [
    ['headers of 20 kB', get('Host: x', `X-Long: ${'a'.repeat(20_000)}`), 431, 'headers_too_large'],
    ['headers of 1 MB', get('Host: x', `X-Long: ${'a'.repeat(1e6)}`), 431, 'headers_too_large'],
    ['a header without a colon', get('Host: x', 'nonsense'), 400, 'request_malformed'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'request_malformed'],
    ['no HTTP at all', '\u0016\u0003\u0001\r\n\r\n', 400, 'request_malformed'],
    ['no Host', get(), 400, 'request_malformed'],
    ['an empty Host', get('Host:'), 400, 'request_malformed'],
    ['a Host that names none', get('Host: x"><script>'), 400, 'request_malformed'],
    ['two Hosts', get('Host: x', 'host: y'), 400, 'request_malformed'],
    [
      'two credentials',
      get('Host: x', 'Authorization: Bearer a', 'authorization: Bearer b'),
      400,
      'request_malformed',
    ],
    [
      'two media types',
      get('Host: x', 'Content-Type: application/json', 'Content-Type: text/plain'),
      400,
      'request_malformed',
    ],
    [
      'two Idempotency-Keys',
      get('Host: x', 'Idempotency-Key: a', 'idempotency-key: b'),
      400,
      'request_malformed',
    ],
    [
      'a compressed transfer',
      `${get('Host: x', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
      400,
      'request_malformed',
    ],
    [
      'a URL that cannot be decoded',
      get('Host: x').replace('tickets', '%zz'),
      400,
      'parameter_invalid',
    ],
  ];

  it.each(CASES)('are answered with the documented error: %s', async (_, request, status, code) => {
    const answer = await answerTo(request);
    expect([answer.status, answer.error['code']]).toEqual([status, code]);
    expect(Object.keys(answer.error).sort()).toEqual([
      'code',
      'details',
      'doc_url',
      'errors',
      'message',
      'param',
      'request_id',
      'type',
    ]);
    expect(answer.headers.get('x-request-id')).toBe(answer.error['request_id']);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('do not include requests with an unknown Expect header, which is ignored', async () => {
    const answer = await answerTo(get('Host: x', 'Expect: the-unexpected'));
    expect([answer.status, answer.error['code']]).toEqual([401, 'api_key_missing']);
  });

  it('leave the service able to answer other requests', async () => {
    expect((await tenant.api.get('/v1/tickets')).data).toEqual([]);
  });
});

interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly error: Readonly<Record<string, unknown>>;
}
