import type { PGlite } from '@electric-sql/pglite';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { RequestParser } from './messages';

const NO_SSL = Buffer.from('N');

/** The functions of PGlite that the server uses. There is one session. */
export type Engine = Pick<PGlite, 'execProtocolRawStream' | 'isInTransaction' | 'exec'>;

interface Connection {
  readonly socket: Socket;
  readonly requests: RequestParser;
  /** Requests that are not yet answered. */
  readonly waiting: Buffer[];
}

/**
 * Serves PostgreSQL's wire protocol over one PGlite. All messages of a request run at once, and
 * their responses are sent in one write. A prepared statement is four messages, and each of them
 * alone would cost as much as the statement. While one connection has an open transaction, the
 * others wait.
 */
export class WireServer {
  private readonly server: Server;
  private readonly connections = new Set<Connection>();
  /** The connection with the open transaction. */
  private owner: Connection | null = null;

  constructor(
    private readonly engine: Engine,
    connectionsMax: number,
  ) {
    this.server = createServer({ noDelay: true }, (socket) => {
      this.accept(socket);
    });
    this.server.maxConnections = connectionsMax;
  }

  /** Resolves when it listens on a Unix socket. */
  listen(socketPath: string): Promise<void> {
    // A process that was killed leaves its socket file.
    rmSync(socketPath, { force: true });
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(socketPath, () => {
        chmodSync(socketPath, 0o600);
        resolve();
      });
    });
  }

  close(): Promise<void> {
    for (const { socket } of this.connections) socket.destroy();
    return new Promise((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
  }

  private accept(socket: Socket): void {
    const connection: Connection = { socket, requests: new RequestParser(), waiting: [] };
    this.connections.add(connection);
    socket.on('data', (chunk) => {
      this.receive(connection, chunk);
    });
    socket.on('error', () => {
      socket.destroy();
    });
    socket.on('close', () => {
      this.removeConnection(connection);
    });
  }

  private receive(connection: Connection, chunk: Buffer): void {
    for (const request of connection.requests.parse(chunk)) {
      if (request.kind === 'work') connection.waiting.push(request.messages);
      else if (request.kind === 'ssl') connection.socket.write(NO_SSL);
      else connection.socket.end();
    }
    this.runWaiting();
  }

  /**
   * Runs waiting requests, one of each connection in turn, so that no connection blocks the others.
   */
  private runWaiting(): void {
    for (let ran = true; ran;) {
      ran = false;
      for (const connection of this.connections) ran = this.runNext(connection) || ran;
    }
  }

  private runNext(connection: Connection): boolean {
    if (this.owner !== null && this.owner !== connection) return false;
    const messages = connection.waiting.shift();
    if (messages === undefined) return false;
    const answer = this.runMessages(connection, messages);
    this.owner = this.engine.isInTransaction() ? connection : null;
    if (answer.length > 0 && connection.socket.writable) connection.socket.write(answer);
    return true;
  }

  /**
   * Runs the messages of a request. The engine calls back before it returns; its promise only shows
   * whether it failed.
   */
  private runMessages({ socket }: Connection, messages: Buffer): Buffer {
    const parts: Buffer[] = [];
    // The engine reuses the memory of a part for the next message, so it is copied.
    const onRawData = (part: Uint8Array): unknown => parts.push(Buffer.from(part));
    const done = this.engine.execProtocolRawStream(messages, { syncToFs: false, onRawData });
    done.catch(() => {
      socket.destroy();
    });
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  private removeConnection(connection: Connection): void {
    this.connections.delete(connection);
    if (this.owner !== connection) return;
    void this.engine.exec('rollback').finally(() => {
      this.owner = null;
      this.runWaiting();
    });
  }
}
