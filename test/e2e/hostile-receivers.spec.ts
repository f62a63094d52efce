import { readFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { AddressGuard } from '../../src/delivery/webhook/address-guard';
import { Sender } from '../../src/delivery/webhook/sender';
import { isSuccess } from '../../src/delivery/model/verdict';

const TIMEOUT_MS = 400;
/** The time limit for receivers that answer, in ms. A machine may be busy. */
const PATIENT_MS = 10_000;

/** The receivers of this suite misbehave on real sockets. Every attempt must still end in time. */
describe('an attempt at', () => {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const [patient, hurried] = [PATIENT_MS, TIMEOUT_MS].map(
    (timeoutMs) =>
      new Sender({ timeoutMs, connectTimeoutMs: timeoutMs, guard: new AddressGuard(true) }),
  ) as [Sender, Sender];

  afterAll(async () => {
    await Promise.all([patient.close(), hurried.close()]);
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });

  const listen = async (server: Server, protocol = 'http'): Promise<string> => {
    servers.push(server);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  };

  /** Listens and answers each connection with the output of `respond`. */
  const listenRaw = (respond: (socket: Socket) => void): Promise<string> =>
    listen(
      createServer((socket) => {
        socket.once('data', () => {
          respond(socket);
        });
      }),
    );

  const attempt = (url: string) => patient.send({ url, headers: {}, body: '{}' });

  const attemptHurriedly = async (url: string) => {
    const result = await hurried.send({ url, headers: {}, body: '{}' });
    expect(result.durationMs).toBeLessThan(TIMEOUT_MS + 300);
    return result;
  };

  const OK = 'HTTP/1.1 200 OK\r\n';
  const writeEvery = (socket: Socket, ms: number, text: string): void => {
    const timer = setInterval(() => socket.write(text), ms);
    socket.on('close', () => {
      clearInterval(timer);
    });
  };

  it('a receiver that never answers times out', async () => {
    const result = await attemptHurriedly(await listenRaw(() => undefined));
    expect(result).toMatchObject({ statusCode: null, error: 'timeout' });
  });

  it('a receiver that sends its body slowly times out', async () => {
    const url = await listenRaw((socket) => {
      socket.write(`${OK}content-length: 100000\r\n\r\n`);
      writeEvery(socket, 20, 'x');
    });
    const result = await attemptHurriedly(url);
    expect(isSuccess(result)).toBe(false);
    expect(result.error).toBe('timeout');
  });

  it('a receiver that sends headers without end fails', async () => {
    const url = await listenRaw((socket) => {
      socket.write(OK);
      writeEvery(socket, 1, `x-more: ${'x'.repeat(1_000)}\r\n`);
    });
    const result = await attemptHurriedly(url);
    expect(isSuccess(result)).toBe(false);
    expect(result.error).toMatch(/^(answer_headers_too_large|timeout)$/);
  });

  it('a receiver that sends a huge body succeeds, with the body cut at 64 KiB', async () => {
    const url = await listenRaw((socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      const chunk = `${(16_384).toString(16)}\r\n${'x'.repeat(16_384)}\r\n`;
      writeEvery(socket, 1, chunk);
    });
    const result = await attempt(url);
    expect(isSuccess(result)).toBe(true);
    expect(result.body.length).toBe(65_536);
  });

  it('a receiver that sends less than it announced fails', async () => {
    const url = await listenRaw((socket) => socket.end(`${OK}content-length: 50\r\n\r\nshort`));
    const result = await attempt(url);
    expect(isSuccess(result)).toBe(false);
    expect(result.statusCode).toBeNull();
  });

  it('a receiver that closes the connection fails', async () => {
    expect(isSuccess(await attempt(await listenRaw((socket) => socket.destroy())))).toBe(false);
  });

  it('a receiver that does not speak HTTP fails', async () => {
    const url = await listenRaw((socket) => socket.end('220 smtp.example.com ESMTP\r\n'));
    expect(isSuccess(await attempt(url))).toBe(false);
  });

  it.each([301, 302, 303, 307, 308])('a redirect (%d) fails and is not followed', async (code) => {
    let followed = false;
    const target = await listenRaw((socket) => {
      followed = true;
      socket.end(`${OK}content-length: 0\r\n\r\n`);
    });
    const url = await listenRaw((socket) =>
      socket.end(`HTTP/1.1 ${code} Moved\r\nlocation: ${target}\r\ncontent-length: 0\r\n\r\n`),
    );
    const result = await attempt(url);
    expect(result.statusCode).toBe(code);
    expect(isSuccess(result)).toBe(false);
    expect(followed).toBe(false);
  });

  describe.each([100, 102, 103, 199])('a receiver that sends %d first', (code) => {
    const interim = `HTTP/1.1 ${code} Wait\r\nretry-after: 9\r\n\r\n`;
    const answer = 'HTTP/1.1 503 No\r\ncontent-length: 4\r\n\r\nlate';
    const answered = { statusCode: 503, error: null, body: 'late', retryAfter: null };

    it('is judged by the final answer', async () => {
      const atOnce = await listenRaw((socket) => socket.write(interim.repeat(2) + answer));
      expect(await attempt(atOnce)).toMatchObject(answered);
      const later = await listenRaw((socket) => {
        socket.write(interim);
        setTimeout(() => socket.write(interim + answer), 20);
      });
      expect(await attempt(later)).toMatchObject(answered);
    });

    it('has its connections reused', async () => {
      let connections = 0;
      const server = createServer((socket) => {
        connections += 1;
        socket.on('data', (chunk) => {
          if (chunk.toString().endsWith('{}')) socket.write(interim + answer);
        });
      });
      const url = await listen(server);
      for (let i = 0; i < 6; i += 1) expect(await attempt(url)).toMatchObject(answered);
      // The pool may open a second connection while the first one is being released.
      expect(connections).toBeLessThanOrEqual(2);
    });

    it('has not answered if nothing follows', async () => {
      const closing = await listenRaw((socket) => socket.end(interim));
      expect(await attempt(closing)).toMatchObject({
        statusCode: null,
        error: 'connection_closed',
      });
      const endless = await listenRaw((socket) => {
        writeEvery(socket, 20, interim);
      });
      expect(await attemptHurriedly(endless)).toMatchObject({ statusCode: null, error: 'timeout' });
    });
  });

  it('a receiver with an invalid certificate fails', async () => {
    const readPem = (name: string): Buffer => readFileSync(join(__dirname, '../support/tls', name));
    const server = createTlsServer({
      key: readPem('self-signed.key'),
      cert: readPem('self-signed.pem'),
    });
    server.on('request', (_, response) => response.end());
    const result = await attempt(await listen(server, 'https'));
    expect(result).toMatchObject({ statusCode: null });
    expect(result.error).toBe('tls_certificate_untrusted');
  });

  it('a receiver that compresses its response is recorded without decompression', async () => {
    const url = await listenRaw((socket) =>
      socket.end(`${OK}content-encoding: gzip\r\ncontent-length: 5\r\n\r\nplain`),
    );
    expect(await attempt(url)).toMatchObject({ statusCode: 200, body: 'plain' });
  });
});

describe('private addresses', () => {
  const received: string[] = [];
  const server = createServer((socket) => {
    received.push('connection');
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  });
  let port: number;

  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    server.close();
  });

  const sendBy = async (guard: AddressGuard, host: string) => {
    const sender = new Sender({ timeoutMs: 2_000, connectTimeoutMs: 1_000, guard });
    try {
      return await sender.send({ url: `http://${host}:${port}/`, headers: {}, body: '{}' });
    } finally {
      await sender.close();
    }
  };

  it('are refused in every spelling', async () => {
    const guard = new AddressGuard(false);
    for (const host of ['127.0.0.1', '127.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost']) {
      expect(await sendBy(guard, host)).toMatchObject({
        statusCode: null,
        error: 'url_not_allowed',
      });
    }
    expect(received).toEqual([]);
  });

  it('are refused when a name resolves to another address later', async () => {
    let asked = 0;
    const rebinding = new AddressGuard(false, (_name, _options, callback) => {
      asked += 1;
      // The name is public when it is registered and local when it is used.
      callback(null, [{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }]);
    });
    expect(await rebinding.allows('rebind.example')).toBe(true);
    expect(await sendBy(rebinding, 'rebind.example')).toMatchObject({
      error: 'url_not_allowed',
    });
    expect(asked).toBe(2);
    expect(received).toEqual([]);
  });

  it('are allowed if the operator permits them', async () => {
    expect(await sendBy(new AddressGuard(true), '127.0.0.1')).toMatchObject({ statusCode: 200 });
    expect(received).toHaveLength(1);
  });
});
