import { Webhooks } from '@subscription-event-service/sdk';
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { CallFailed, type Client } from './client';
import { forwardTo, type Forwarded } from './forward';

/** Interval between two proofs, well within the lease that the service gives. */
const PROVE_AGAIN_MS = 20_000;
export const DESCRIPTION = 'Local listener of the command line';

/** A webhook as it arrived, with the results of verifying and forwarding it. */
export interface Heard {
  readonly type: string;
  readonly id: string;
  readonly subscriberId: string;
  readonly attempt: number;
  readonly replayId: string | null;
  /** Null if both signatures and the time are right; otherwise the reason. */
  readonly problem: string | null;
  readonly forwarded: Forwarded | null;
  readonly status: number;
}

interface Place {
  readonly operator: Client;
  readonly tenant: string;
  readonly eventTypes?: readonly string[];
  readonly forward?: URL;
}

/**
 * A receiver on this machine. While it runs, it is registered as a destination of a tenant's test
 * environment. It proves itself to the service by a key, so the service delivers to no other local
 * address.
 */
export class Listener {
  private readonly path = `/${randomBytes(32).toString('hex')}`;
  private readonly proofKey = randomBytes(32).toString('hex');
  private readonly server: Server;
  private webhooks = new Webhooks([]);
  private secret = '';
  private destination = '';
  private again: NodeJS.Timeout | undefined;

  private constructor(
    private readonly place: Place,
    private readonly heard: (webhook: Heard) => void,
  ) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(place: Place, heard: (webhook: Heard) => void): Promise<Listener> {
    const listener = new Listener(place, heard);
    await new Promise<void>((resolve, reject) => {
      listener.server.once('error', reject);
      listener.server.listen(0, '127.0.0.1', resolve);
    });
    try {
      await listener.register();
    } catch (error) {
      await listener.close();
      throw error;
    }
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  /** The secret with which a server that webhooks are forwarded to verifies them. */
  get signingSecret(): string {
    return this.secret;
  }

  /** Removes the destination and stops. Events that the destination missed stay in the log. */
  async close(): Promise<void> {
    clearInterval(this.again);
    const { operator, tenant } = this.place;
    if (this.destination !== '') {
      const path = `/operator/v1/tenants/${tenant}/destinations/${this.destination}?force=true`;
      // The service may have stopped first. The command ends in any case.
      await operator.change('delete', path).catch(() => undefined);
    }
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async register(): Promise<void> {
    const { operator, tenant, eventTypes } = this.place;
    await this.prove();
    this.again = setInterval(() => void this.prove().catch(() => undefined), PROVE_AGAIN_MS);
    const path = `/operator/v1/tenants/${tenant}/destinations`;
    await removeDead(operator, path);
    const made = await operator.change('post', path, {
      type: 'https_webhook',
      environment: 'test',
      url: this.url,
      description: DESCRIPTION,
      ...(eventTypes === undefined ? {} : { event_types: eventTypes }),
    });
    this.destination = String(made['id']);
    this.secret = String(made['signing_secret']);
    this.webhooks = new Webhooks(this.secret);
  }

  private async prove(): Promise<void> {
    await this.place.operator.change('post', '/operator/v1/local_listeners', {
      url: this.url,
      proof_key: this.proofKey,
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== this.path) {
      response.writeHead(404).end();
      return;
    }
    const challenge = request.headers['x-service-listener-challenge'];
    if (typeof challenge === 'string') {
      response.end(createHmac('sha256', this.proofKey).update(challenge).digest('hex'));
      return;
    }
    const body = await buffer(request);
    const webhook = await this.hear(request, body);
    this.heard(webhook);
    response.writeHead(webhook.status).end();
  }

  private async hear(request: IncomingMessage, body: Buffer): Promise<Heard> {
    const { headers } = request;
    let problem: string | null = null;
    try {
      await this.webhooks.unwrap(body, headers);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
    const { forward } = this.place;
    const forwarded =
      problem !== null || forward === undefined ? null : await forwardTo(forward, headers, body);
    const replayId = headers['x-service-replay-id'];
    return {
      type: String(headers['x-service-event-type']),
      id: String(headers['webhook-id']),
      subscriberId: readSubscriberId(body),
      attempt: Number(headers['x-service-attempt']),
      replayId: typeof replayId === 'string' ? replayId : null,
      problem,
      forwarded,
      status: problem === null ? (forwarded?.status ?? 204) : 401,
    };
  }
}

const readSubscriberId = (body: Buffer): string => {
  try {
    const { subscriber } = JSON.parse(body.toString()) as { subscriber?: { id?: string } };
    return subscriber?.id ?? '';
  } catch {
    return '';
  }
};

/**
 * Removes destinations of listeners that were killed, because nothing answers at their port any
 * more.
 */
const removeDead = async (operator: Client, path: string): Promise<void> => {
  for await (const { id, url, description, environment } of operator.list(path)) {
    if (description !== DESCRIPTION || environment !== 'test') continue;
    const isDead = await fetch(String(url), { method: 'HEAD', signal: AbortSignal.timeout(1_000) })
      .then(() => false)
      .catch(() => true);
    if (isDead) await operator.change('delete', `${path}/${String(id)}?force=true`);
  }
};

/**
 * Parses the value of `--forward`: a port, or an address such as `http://localhost:4000/webhooks`.
 */
export const forwardUrl = (text: string): URL => {
  const whole = /^\d+$/.test(text) ? `http://127.0.0.1:${text}` : text;
  if (URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol)) return new URL(whole);
  throw new CallFailed(
    `--forward takes the address of your server, for example http://localhost:4000/webhooks, not "${text}".`,
  );
};
