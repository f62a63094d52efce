import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhooks } from '@subscription-event-service/sdk';
import { Webhook } from 'standardwebhooks';

const WAIT_LIMIT_MS = 30_000;
const POLL_MS = 20;

/** A received delivery. */
export interface Arrival {
  readonly type: string;
  readonly id: string;
  readonly sequence: number;
  readonly attempt: number;
  readonly replayId: string | null;
  readonly status: number;
  readonly body: string;
  /** The value of `X-Service-Signature`, which is the same for retries and replays. */
  readonly signature: string;
  /** True if the SDK and the Standard Webhooks library accepted the signatures. */
  readonly verified: boolean;
}

export const isAccepted = ({ status }: Arrival): boolean => status < 300;

/** Returns the expected types that have not arrived. Each arrival counts for one expected type. */
const removeArrived = (types: readonly string[], arrivals: readonly Arrival[]): string[] => {
  const left = [...types];
  for (const { type } of arrivals) {
    const at = left.indexOf(type);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
};

/** A small webhook endpoint that verifies its deliveries. It can be told to refuse one. */
export class DemoReceiver {
  readonly arrivals: Arrival[] = [];
  private secret = '';
  private failing: string | null = null;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<DemoReceiver> {
    const server = createServer();
    const receiver = new DemoReceiver(server);
    server.on('request', (request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        void receiver.receive(request.headers, body).then((status) => {
          response.statusCode = status;
          response.end();
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  verifyWith(secret: string): void {
    this.secret = secret;
  }

  /** Makes the receiver answer 503 to the next event of the type. */
  failNext(type: string): void {
    this.failing = type;
  }

  /** Waits until an event of each type was accepted. The first `seen` arrivals do not count. */
  async waitUntilAccepted(seen: number, types: readonly string[]): Promise<void> {
    const deadline = Date.now() + WAIT_LIMIT_MS;
    for (;;) {
      const missing = removeArrived(types, this.arrivals.slice(seen).filter(isAccepted));
      if (missing.length === 0) return;
      if (Date.now() > deadline) throw new Error(`${missing.join(', ')} did not arrive in time`);
      await delay(POLL_MS);
    }
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async receive(headers: IncomingHttpHeaders, body: string): Promise<number> {
    const event = JSON.parse(body) as { id: string; type: string; sequence: number };
    const fails = this.failing === event.type;
    if (fails) this.failing = null;
    const replayId = headers['x-service-replay-id'];
    const verified = await this.isVerified(headers, body);
    this.arrivals.push({
      ...event,
      attempt: Number(headers['x-service-attempt']),
      replayId: typeof replayId === 'string' ? replayId : null,
      status: fails ? 503 : 200,
      body,
      signature: String(headers['x-service-signature']),
      verified,
    });
    return fails ? 503 : 200;
  }

  private async isVerified(headers: IncomingHttpHeaders, body: string): Promise<boolean> {
    try {
      await new Webhooks(this.secret).unwrap(body, headers);
      new Webhook(this.secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }
}
