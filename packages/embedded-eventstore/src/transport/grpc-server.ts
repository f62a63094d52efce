import { createServer as createHttp1Server, type RequestListener } from 'node:http';
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { chmodSync, rmSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { STREAMS_PER_CONNECTION_MAX } from '../base/limits';
import type { Dispatcher } from './dispatcher';
import { Http2Wire } from './http2-wire';
import { createPort, type Certificate } from './port';
import { NO_RESET_LIMIT } from './reset-limit';

/**
 * A gRPC server on node:http2. It joins all messages of one turn of the event loop into one write;
 * grpc-js writes each message separately, which takes more than twice the time.
 */
export interface GrpcServerOptions {
  readonly host: string;
  readonly port: number;
  /** The path of a Unix socket to listen on, instead of host and port. */
  readonly socketPath?: string | undefined;
  readonly dispatcher: Dispatcher;
  /** Handles HTTP/1.1 requests, which arrive on the same port. */
  readonly http: RequestListener;
  readonly tls?: Certificate | undefined;
}

/**
 * The flow-control window in bytes. A chunk of 3 MB of a large append fits into it, so it does not
 * wait for updates.
 */
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;

/**
 * The time in ms that clients have to read their last responses when the server stops. Idle clients
 * disconnect at once. Without this time, busy clients would find their connection reset and lose
 * the responses.
 */
const GOODBYE_MS = 1_000;

export class GrpcServer {
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #port: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(options: GrpcServerOptions) {
    const settings = {
      maxConcurrentStreams: STREAMS_PER_CONNECTION_MAX,
      initialWindowSize: STREAM_WINDOW_BYTES,
    };
    // Node counts queued responses as memory of the session, and would disconnect slow readers at
    // 10 MB.
    const limits = {
      settings,
      maxSessionMemory: Number.MAX_SAFE_INTEGER,
      ...NO_RESET_LIMIT,
    };
    const http2 = createServer(limits);
    http2.on('session', (session: ServerHttp2Session) => {
      this.accept(session);
    });
    http2.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      options.dispatcher.dispatch(new Http2Wire(stream), headers);
    });
    this.#port = createPort({ http2, http1: createHttp1Server(options.http), tls: options.tls });
    this.#port.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static listen(options: GrpcServerOptions): Promise<GrpcServer> {
    const server = new GrpcServer(options);
    return new Promise((resolve, reject) => {
      server.#port.once('error', reject);
      const { socketPath } = options;
      if (socketPath === undefined) {
        server.#port.listen(options.port, options.host, () => {
          resolve(server);
        });
        return;
      }
      // A killed server leaves its socket behind. The lock of the directory shows that the server
      // has ended.
      rmSync(socketPath, { force: true });
      server.#port.listen(socketPath, () => {
        chmodSync(socketPath, 0o600);
        resolve(server);
      });
    });
  }

  /** The TCP port; 0 if the server listens on a Unix socket. */
  get port(): number {
    const address = this.#port.address();
    return address === null || typeof address === 'string' ? 0 : address.port;
  }

  /** Closes every connection at once, without GOAWAY. */
  breakConnections(): void {
    for (const session of this.#sessions) session.destroy();
  }

  /**
   * Waits until the last responses are sent and then closes every connection. All calls must have
   * ended.
   */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#port.close(() => {
        resolve();
      });
      for (const session of this.#sessions) session.close();
      setTimeout(() => {
        for (const socket of this.#sockets) socket.destroy();
      }, GOODBYE_MS).unref();
    });
  }

  private accept(session: ServerHttp2Session): void {
    this.#sessions.add(session);
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    session.on('error', () => undefined);
    session.on('close', () => {
      this.#sessions.delete(session);
    });
  }
}
