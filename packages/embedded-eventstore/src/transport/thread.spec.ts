import { Client, credentials, type ClientReadableStream, Metadata, status } from '@grpc/grpc-js';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ThreadChannel, ThreadConnection } from '../client/thread-channel';
import { createFrame } from '../protocol/framing';
import { errors, RpcError, Status } from '../protocol/rpc-error';
import { createAuthenticator } from './authentication';
import type { Call } from './call';
import { Dispatcher, type Handler } from './dispatcher';
import { WINDOW_BYTES } from './packet';
import { ThreadServer } from './thread-server';

const asBytes = (bytes: Buffer): Buffer => bytes;
const addSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1_000);
const KIB = Buffer.alloc(1_024, 'x');

describe('calls between two threads', () => {
  let ports: MessagePort[] = [];
  let server: ThreadServer;
  let client: Client;
  let clientPort: MessagePort;

  const serve = (handler: Handler): void => {
    const { port1, port2 } = new MessageChannel();
    ports = [port1, port2];
    clientPort = port1;
    const dispatcher = new Dispatcher({
      routes: new Map([['/test', handler]]),
      authenticate: createAuthenticator(new Map()),
    });
    server = new ThreadServer(port2, dispatcher);
    const channelOverride = new ThreadChannel(new ThreadConnection(port1), 'thread:test:1');
    client = new Client('', credentials.createInsecure(), { channelOverride });
  };
  afterEach(() => {
    for (const port of ports) port.close();
  });

  const ask = (
    message: string,
    { path = '/test', metadata = new Metadata(), deadline = addSeconds(30) } = {},
  ): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = Buffer.from(message);
      const options = { deadline };
      client.makeUnaryRequest(
        path,
        asBytes,
        asBytes,
        request,
        metadata,
        options,
        (error, answer) => {
          if (error) reject(error);
          else resolve(String(answer));
        },
      );
    });

  const listen = (): ClientReadableStream<Buffer> =>
    client.makeServerStreamRequest('/test', asBytes, asBytes, KIB, new Metadata());

  const echo: Handler = (call) => {
    call.receive(
      (message) => {
        call.send(createFrame(Buffer.concat([message, Buffer.from(String(call.headers['who']))])));
      },
      () => {
        call.end();
      },
    );
  };

  it('carry metadata, a message and its response', async () => {
    serve(echo);
    const metadata = new Metadata();
    metadata.set('who', 'ada');
    expect(await ask('hello ', { metadata })).toBe('hello ada');
  });

  it('end with the status, its text and its trailers', async () => {
    serve((call) => {
      call.fail(new RpcError(Status.failedPrecondition, '100 % größer', { exception: 'ñ' }));
    });
    const error = await ask('x').catch((e: unknown) => e);
    expect(error).toMatchObject({
      code: status.FAILED_PRECONDITION,
      details: '100 % größer',
    });
    expect((error as { metadata: Metadata }).metadata.getMap()).toEqual({ exception: '%c3%b1' });
    await expect(ask('x', { path: '/unknown' })).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    });
  });

  it('end at their deadline, for the server too', async () => {
    let closed: Promise<void> | undefined;
    serve((call) => {
      closed = new Promise((resolve) => {
        call.callWhenClosed(resolve);
      });
    });
    await expect(ask('x', { deadline: addSeconds(0.05) })).rejects.toMatchObject({
      code: status.DEADLINE_EXCEEDED,
    });
    await closed;
  });

  it('end on the server when the client cancels, before the next call of the client arrives', async () => {
    const seen: string[] = [];
    serve((call) => {
      call.open();
      call.callWhenClosed(() => seen.push('closed'));
      call.receive((message) => {
        seen.push(message.length === KIB.length ? 'listen' : 'ask');
        if (message.length < KIB.length) call.fail(errors.accessDenied());
      });
    });
    const stream = listen();
    await once(stream, 'metadata');
    stream.on('error', () => undefined);
    stream.cancel();
    await ask('x').catch(() => undefined);
    expect(seen.slice(0, 3)).toEqual(['listen', 'closed', 'ask']);
  });

  it('make the server wait while the client does not read, and lose no message', async () => {
    const MESSAGES = 2_000;
    let sent = 0;
    const sendAll = async (call: Call): Promise<void> => {
      for (; sent < MESSAGES; sent += 1) {
        if (!call.send(createFrame(Buffer.from(`${sent} ${String(KIB)}`)))) {
          await call.waitUntilWritable();
        }
      }
      call.end();
    };
    serve((call) => {
      void sendAll(call);
    });
    const stream = listen();
    await once(stream, 'metadata');
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(sent * KIB.length).toBeLessThan(2 * WINDOW_BYTES);
    let read = 0;
    for await (const message of stream) {
      expect(parseInt(String(message), 10)).toBe(read);
      read += 1;
    }
    expect(read).toBe(MESSAGES);
  });

  it('are sent together if they are made in one turn of the event loop', async () => {
    serve(echo);
    await ask('x');
    const post = jest.spyOn(clientPort, 'postMessage');
    await Promise.all(Array.from({ length: 10 }, () => ask('x')));
    expect(post).toHaveBeenCalledTimes(1);
  });

  it('fail as unavailable when the server breaks them, and later calls work', async () => {
    let calls = 0;
    serve((call) => {
      calls += 1;
      if (calls === 1) server.breakConnections();
      else echo(call);
    });
    await expect(ask('x')).rejects.toMatchObject({ code: status.UNAVAILABLE });
    expect(await ask('x ')).toBe('x undefined');
  });

  it('fail as unavailable after the thread has ended, both open calls and later ones', async () => {
    serve((call) => {
      if (call.headers['who'] !== 'ada') server.close();
    });
    const metadata = new Metadata();
    metadata.set('who', 'ada');
    const underWay = ask('x', { metadata });
    await expect(ask('x')).rejects.toMatchObject({ code: status.UNAVAILABLE });
    await expect(underWay).rejects.toMatchObject({ code: status.UNAVAILABLE });
    await expect(ask('x')).rejects.toMatchObject({ code: status.UNAVAILABLE });
  });
});
