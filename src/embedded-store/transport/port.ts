import type { Server as Http1Server } from 'node:http';
import type { Http2Server } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** How every HTTP/2 connection begins (RFC 9113, 3.4). */
const HTTP2_PREFACE = 'PRI ';

export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

interface Speakers {
  readonly http2: Http2Server;
  readonly http1: Http1Server;
  readonly tls: Certificate | undefined;
}

/**
 * One port for both versions of HTTP, as on EventStoreDB: gRPC over HTTP/2, and for everything that
 * asks in HTTP/1.1 what is left of its older interface. With TLS the client says what it speaks; without, the first
 * bytes of the connection do.
 */
export const createPort = ({ http2, http1, tls }: Speakers): Server => {
  const hand = (socket: Socket, isHttp2: boolean): void => {
    (isHttp2 ? http2 : http1).emit('connection', socket);
  };
  if (tls) {
    const options = { ...tls, ALPNProtocols: ['h2', 'http/1.1'] };
    return createTlsServer(options, (socket) => {
      hand(socket, socket.alpnProtocol === 'h2');
    });
  }
  return createServer((socket) => {
    // A connection that breaks before it has said anything is nobody's error.
    socket.on('error', () => undefined);
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.unshift(first);
      hand(socket, first.subarray(0, HTTP2_PREFACE.length).toString() === HTTP2_PREFACE);
    });
  });
};
