import type { Server as Http1Server } from 'node:http';
import type { Http2Server, Http2Session, ServerHttp2Session } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { canTurnOffResetLimit } from './reset-limit';
import { ResetFilter } from './reset-filter';

/** The first bytes of every HTTP/2 connection (RFC 9113, 3.4). */
const HTTP2_PREFACE = 'PRI ';

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

interface HttpServers {
  readonly http2: Http2Server;
  readonly http1: Http1Server;
  readonly tls: Certificate | undefined;
}

const peers = new WeakMap<Http2Session, string>();

/** The address and port of the client of a session. */
export const findPeer = (session: Http2Session): string => peers.get(session) ?? '';

/** Passes a connection to the HTTP/2 server, which has made a session of it when `emit` returns. */
const serveHttp2 = (http2: Http2Server, socket: Socket): void => {
  const filter = canTurnOffResetLimit ? undefined : new ResetFilter(socket);
  http2.once('session', (session: ServerHttp2Session) => {
    peers.set(session, `${socket.remoteAddress ?? ''}:${socket.remotePort ?? 0}`);
    filter?.serve(session);
  });
  http2.emit('connection', filter ?? socket);
};

/**
 * Serves both versions of HTTP on one port, as EventStoreDB does: gRPC over HTTP/2, and the older
 * interface over HTTP/1.1. With TLS the client negotiates the version; without TLS the first bytes
 * of the connection show it.
 */
export const createPort = ({ http2, http1, tls }: HttpServers): Server => {
  const serve = (socket: Socket, isHttp2: boolean): void => {
    if (isHttp2) serveHttp2(http2, socket);
    else http1.emit('connection', socket);
  };
  if (tls) {
    const options = { ...tls, ALPNProtocols: ['h2', 'http/1.1'] };
    return createTlsServer(options, (socket) => {
      serve(socket, socket.alpnProtocol === 'h2');
    });
  }
  return createServer({ noDelay: true }, (socket) => {
    // A connection may break before its first byte, which is not an error of the server.
    socket.on('error', () => undefined);
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      serve(socket, first.subarray(0, HTTP2_PREFACE.length).toString() === HTTP2_PREFACE);
    });
  });
};
