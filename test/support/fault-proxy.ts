import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A fault of the network or of the service. */
export const FAULTS = [
  'reset before the service',
  'reset after the service',
  'delay',
  'half a body',
  'status 409',
  'status 429',
  'status 503',
  'status 503 after the service',
] as const;
export type Fault = (typeof FAULTS)[number];

/** The faults of the attempts of one call, in order. Later attempts have no fault. */
export type FaultPlan = (call: string) => readonly Fault[];

/** A proxy in front of a real service. It breaks the attempts of each call according to a plan. */
export class FaultProxy {
  /** The number of times that each fault occurred. */
  readonly met = new Map<Fault, number>();
  private readonly attempts = new Map<string, number>();
  private server: Server | undefined;

  constructor(
    private readonly target: string,
    private readonly plan: FaultPlan,
    /** The delay in ms, longer than the client waits for a response. */
    private readonly delayMs: number,
  ) {}

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      this.handle(request, response).catch(() => response.destroy());
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBytes(request);
    const fault = this.nextFault(String(request.headers['idempotency-key'] ?? request.url));
    if (fault === 'reset before the service') return void response.destroy();
    const status = /^status (\d+)$/.exec(fault ?? '')?.[1];
    if (status !== undefined) {
      sendRefusal(response, Number(status));
      return;
    }
    const answer = await this.forwardRequest(request, body);
    if (fault === 'reset after the service') return void response.destroy();
    if (fault === 'status 503 after the service') {
      sendRefusal(response, 503);
      return;
    }
    if (fault === 'delay') await wait(this.delayMs);
    response.writeHead(answer.status, {
      ...answer.headers,
      'content-length': answer.body.byteLength,
    });
    if (fault !== 'half a body') return void response.end(answer.body);
    response.write(answer.body.subarray(0, Math.floor(answer.body.byteLength / 2)), () =>
      response.destroy(),
    );
  }

  private nextFault(call: string): Fault | undefined {
    const number = this.attempts.get(call) ?? 0;
    this.attempts.set(call, number + 1);
    const fault = this.plan(call)[number];
    if (fault !== undefined) this.met.set(fault, (this.met.get(fault) ?? 0) + 1);
    return fault;
  }

  private async forwardRequest(request: IncomingMessage, body: Buffer): Promise<ServiceAnswer> {
    const { host: _, connection: __, ...headers } = request.headers;
    const method = request.method ?? 'GET';
    const answer = await fetch(`${this.target}${request.url ?? ''}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body.byteLength === 0 ? {} : { body }),
    });
    const { 'content-encoding': _encoding, ...kept } = Object.fromEntries(answer.headers);
    return {
      status: answer.status,
      headers: kept,
      body: Buffer.from(await answer.arrayBuffer()),
    };
  }
}

interface ServiceAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const readBytes = async (request: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
};

const CODES: Readonly<Record<number, string>> = {
  409: 'idempotency_key_in_use',
  429: 'rate_limited',
  503: 'service_unavailable',
};

const sendRefusal = (response: ServerResponse, status: number): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
  response.end(JSON.stringify({ error: { code: CODES[status], message: 'Refused on the way.' } }));
};
