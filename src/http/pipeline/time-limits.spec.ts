import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { installTimeLimits } from './time-limits';

const LIMITS = {
  bodyMs: 200,
  // The limits leave some hundred milliseconds in which a busy machine may not run this process.
  uploadCheckedEveryMs: 1_000,
  uploadBytesPerSecondMin: 1_000,
  leftoverMs: 200,
};

describe('a client that is slow or sends data that is not read', () => {
  let server: FastifyInstance;

  beforeEach(async () => {
    server = fastify();
    installTimeLimits(server, LIMITS);
    server.addContentTypeParser('application/x-ndjson', (_request, payload, done) => {
      done(null, payload);
    });
    server.setErrorHandler((error: Error & { code?: string }, _request, reply) =>
      reply.code(408).send({ code: error.code }),
    );
    server.post('/v1/plans', () => ({ ok: true }));
    server.get('/v1/plans', () => ({ ok: true }));
    server.post('/v1/imports', async ({ body }) => {
      let bytes = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) bytes += chunk.length;
      return { bytes };
    });
    server.post('/refused', { preParsing: () => Promise.reject(new Error('no')) }, () => ({}));
    await server.listen({ port: 0 });
  });

  afterEach(() => server.close());

  const begin = async (
    request: string,
    headers: readonly string[],
    body = '',
  ): Promise<{ socket: Socket; answer: Promise<string> }> => {
    const socket = connect((server.server.address() as AddressInfo).port);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write([request, 'Host: x', ...headers, '', body].join('\r\n'));
    return { socket, answer: text(socket).catch(() => 'cut off') };
  };

  const JSON_TYPE = 'Content-Type: application/json';
  const LINES_TYPE = 'Content-Type: application/x-ndjson';

  it('gets 408 when its body does not arrive in time', async () => {
    const headers = [JSON_TYPE, 'Content-Length: 100'];
    const { answer } = await begin('POST /v1/plans HTTP/1.1', headers, '{"a":');
    expect(await answer).toMatch(/^HTTP\/1.1 408 [^]*"request_timeout"/);
  });

  it('gets 408 when its upload stops', async () => {
    const headers = [LINES_TYPE, 'Transfer-Encoding: chunked'];
    const { answer } = await begin('POST /v1/imports HTTP/1.1', headers, '2\r\n{}\r\n');
    expect(await answer).toMatch(/^HTTP\/1.1 408 [^]*"request_timeout"/);
  });

  it('may take long for an upload that makes progress', async () => {
    const headers = [LINES_TYPE, 'Transfer-Encoding: chunked', 'Connection: close'];
    const { socket, answer } = await begin('POST /v1/imports HTTP/1.1', headers);
    let chunks = 0;
    const timer = setInterval(() => {
      chunks += 1;
      socket.write(chunks <= 50 ? `3e8\r\n${'x'.repeat(1_000)}\r\n` : '0\r\n\r\n');
      if (chunks > 50) clearInterval(timer);
    }, 50);
    expect(await answer).toContain('{"bytes":50000}');
  });

  it.each([
    ['a GET with a body without end', 'GET /v1/plans HTTP/1.1', '200'],
    ['a refused upload without end', 'POST /refused HTTP/1.1', '408'],
    ['a POST of an unknown path', 'POST /unknown HTTP/1.1', '404'],
  ])('is disconnected after its response: %s', async (_, request, status) => {
    const { socket, answer } = await begin(request, [LINES_TYPE, 'Transfer-Encoding: chunked']);
    const timer = setInterval(() => socket.write(`64\r\n${'x'.repeat(100)}\r\n`), 20);
    const closed = once(socket, 'close');
    expect(await answer).toContain(`HTTP/1.1 ${status} `);
    await closed;
    clearInterval(timer);
  });

  it('is disconnected when the rest of a refused body of known length does not arrive', async () => {
    const { socket, answer } = await begin('POST /refused HTTP/1.1', [
      LINES_TYPE,
      'Content-Length: 1000',
    ]);
    const closed = once(socket, 'close');
    expect(await answer).toContain('HTTP/1.1 408 ');
    await closed;
  });
});
