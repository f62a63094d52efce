import type { PGlite } from '@electric-sql/pglite';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { Requests } from './messages';

const NO_SSL = Buffer.from('N');

/** Runs protocol messages on the one session there is, and answers what the session answers. */
export type Engine = Pick<PGlite, 'execProtocolRawStream' | 'isInTransaction' | 'exec'>;

interface Connection {
  readonly socket: Socket;
  readonly requests: Requests;
  /** Asked for, and not answered yet. */
  readonly waiting: Buffer[];
}

/**
 * PostgreSQL's wire protocol over one PGlite. All messages of a request run at once, and their answers
 * leave in one write: a prepared statement is four messages, and each of them alone would cost as much
 * as the statement. While one connection has a transaction open, the others wait.
 */
export class WireServer {
  private readonly server: Server;
  private readonly connections = new Set<Connection>();
  /** The connection whose transaction is open. */
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

  /** Resolves when it listens on a socket of the file system. */
  listen(socketPath: string): Promise<void> {
    // A process that was killed leaves its socket.
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
    const connection: Connection = { socket, requests: new Requests(), waiting: [] };
    this.connections.add(connection);
    socket.on('data', (chunk) => {
      this.receive(connection, chunk);
    });
    socket.on('error', () => {
      socket.destroy();
    });
    socket.on('close', () => {
      this.forget(connection);
    });
  }

  private receive(connection: Connection, chunk: Buffer): void {
    for (const request of connection.requests.take(chunk)) {
      if (request.kind === 'work') connection.waiting.push(request.messages);
      else if (request.kind === 'ssl') connection.socket.write(NO_SSL);
      else connection.socket.end();
    }
    this.work();
  }

  /** Runs what may run now; in turns, so that no connection keeps the others waiting. */
  private work(): void {
    for (let ran = true; ran;) {
      ran = false;
      for (const connection of this.connections) ran = this.runNext(connection) || ran;
    }
  }

  private runNext(connection: Connection): boolean {
    if (this.owner !== null && this.owner !== connection) return false;
    const messages = connection.waiting.shift();
    if (messages === undefined) return false;
    const answer = this.run(connection, messages);
    this.owner = this.engine.isInTransaction() ? connection : null;
    if (answer.length > 0 && connection.socket.writable) connection.socket.write(answer);
    return true;
  }

  /** The engine answers before it returns; its promise only says whether it failed. */
  private run({ socket }: Connection, messages: Buffer): Buffer {
    const parts: Buffer[] = [];
    // A part lies in the engine's memory, which the next message overwrites.
    const onRawData = (part: Uint8Array): unknown => parts.push(Buffer.from(part));
    const done = this.engine.execProtocolRawStream(messages, { syncToFs: false, onRawData });
    done.catch(() => {
      socket.destroy();
    });
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  private forget(connection: Connection): void {
    this.connections.delete(connection);
    if (this.owner !== connection) return;
    void this.engine.exec('rollback').finally(() => {
      this.owner = null;
      this.work();
    });
  }
}
