import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { until } from './until';

/** A delivery attempt as it arrived. */
export interface Received {
  /** The path and query of its URL. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Record<string, unknown> & { id: string; type: string; sequence: number };
  readonly atMs: number;
}

type Respond = (received: Received, response: ServerResponse) => void;

/** A tenant's webhook endpoint on a real socket. It answers 200 unless told otherwise. */
export class Receiver {
  readonly received: Received[] = [];
  private respond: Respond = (_, response) => {
    response.end('ok');
  };

  private constructor(private readonly server: Server) {}

  static async start(respond?: Respond): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    if (respond !== undefined) receiver.respond = respond;
    server.on('request', (request, response) => {
      receiver.read(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Sets the response to the next requests. */
  answer(respond: Respond): void {
    this.respond = respond;
  }

  answerStatus(status: number): void {
    this.respond = (_, response) => {
      response.statusCode = status;
      response.end();
    };
  }

  /** The ids of the received events, each once, in order of arrival. */
  get eventIds(): string[] {
    return [...new Set(this.received.map(({ event }) => event.id))];
  }

  listByType(type: string): Received[] {
    return this.received.filter(({ event }) => event.type === type);
  }

  /** Waits for an attempt of the type. */
  async next(type: string): Promise<Received> {
    return until(`a ${type} at the receiver`, () => this.listByType(type)[0]);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private read(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const received: Received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        event: JSON.parse(body) as Received['event'],
        atMs: Date.now(),
      };
      this.received.push(received);
      this.respond(received, response);
    });
  }
}

/** Throws unless the Standard Webhooks library accepts the delivery. */
export const verify = ({ headers, body }: Received, secret: string): void => {
  new Webhook(secret).verify(body, headers as Record<string, string>);
};
