import { Webhooks } from '@subscription-event-service/sdk';
import { InvalidArgumentError } from 'commander';
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Client } from './client';
import { CallFailed, EXIT } from './failures';
import { forwardTo, type Forwarded } from './forward';

/**
 * Interval for proving the key to the service. It is well below the lease that a proof gives, and
 * short, because a service that was started again needs a new proof before it delivers.
 */
const PROOF_INTERVAL_MS = 5_000;
export const DESCRIPTION = 'Local listener of the command line';

/** A received webhook, with the results of verifying and forwarding it. */
export interface ReceivedWebhook {
  readonly type: string;
  readonly id: string;
  readonly subscriberId: string;
  readonly attempt: number;
  readonly replayId: string | null;
  /** The reason why the webhook could not be verified; null if it was. */
  readonly problem: string | null;
  readonly forwarded: Forwarded | null;
  readonly status: number;
}

/** Returns a webhook as JSON of the command line, whose names are written as those of the API. */
export const toJson = ({
  subscriberId,
  replayId,
  forwarded,
  ...webhook
}: ReceivedWebhook): object => ({
  ...webhook,
  subscriber_id: subscriberId,
  replay_id: replayId,
  forwarded: forwarded && {
    status: forwarded.status,
    duration_ms: forwarded.durationMs,
    error: forwarded.error,
  },
});

interface Place {
  readonly operator: Client;
  readonly tenant: string;
  readonly eventTypes?: readonly string[];
  readonly forward?: URL;
  /** Called with the reason when the service cannot deliver here, and with null when it can again. */
  readonly onService?: (problem: string | null) => void;
  /** Called when somebody, or the service after a 410, has changed the status of the destination. */
  readonly onStatus?: (destination: ListenerStatus) => void;
}

/** The status of the listener's destination. It receives events only while it is active. */
export interface ListenerStatus {
  readonly status: 'active' | 'disabled' | 'deleted';
  /** The reason if it is disabled; `gone` after a 410. */
  readonly reason: string | null;
}

const ACTIVE: ListenerStatus = { status: 'active', reason: null };
const DELETED: ListenerStatus = { status: 'deleted', reason: null };

/**
 * A receiver on this machine. While it runs, it is registered as a destination in the test
 * environment of a tenant. The service delivers to a local address only if the receiver proves that
 * it has a key.
 */
export class Listener {
  private readonly path = `/${randomBytes(32).toString('hex')}`;
  private readonly proofKey = randomBytes(32).toString('hex');
  private readonly server: Server;
  private webhooks = new Webhooks([]);
  private secret = '';
  private destination = '';
  private isAdmitted = true;
  private status: ListenerStatus['status'] = 'active';
  private proofTimer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly place: Place,
    private readonly onWebhook: (webhook: ReceivedWebhook) => void,
  ) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(
    place: Place,
    onWebhook: (webhook: ReceivedWebhook) => void,
  ): Promise<Listener> {
    const listener = new Listener(place, onWebhook);
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

  get destinationId(): string {
    return this.destination;
  }

  /** The signing secret. A server to which webhooks are forwarded verifies them with it. */
  get signingSecret(): string {
    return this.secret;
  }

  /**
   * Removes the destination and stops the receiver. Events that were not delivered stay in the log.
   * Returns false if the destination could not be removed.
   */
  async close(): Promise<boolean> {
    clearInterval(this.proofTimer);
    const isRemoved = this.destination === '' || (await this.remove());
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    return isRemoved;
  }

  /** A failure is no error of the command: the service may have stopped before it. */
  private remove(): Promise<boolean> {
    const { operator, tenant } = this.place;
    const path = `${createListPath(tenant)}/${this.destination}`;
    return operator.change('delete', `${path}?force=true`).then(
      () => true,
      () => false,
    );
  }

  private async register(): Promise<void> {
    const { operator, tenant, eventTypes } = this.place;
    await this.proveKey();
    this.proofTimer = setInterval(() => void this.renew(), PROOF_INTERVAL_MS);
    const path = createListPath(tenant);
    await removeDeadListeners(operator, path);
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

  /** Proves the key again, and reports what has changed since the last time. */
  private async renew(): Promise<void> {
    const problem = await this.proveKey().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    const isNews = (problem === null) !== this.isAdmitted;
    this.isAdmitted = problem === null;
    if (isNews) this.place.onService?.(problem);
    if (problem === null && this.destination !== '') await this.checkStatus();
  }

  private async checkStatus(): Promise<void> {
    const found = await this.readStatus();
    if (found === null || found.status === this.status) return;
    this.status = found.status;
    this.place.onStatus?.(found);
  }

  /** Returns null if the service does not answer. */
  private async readStatus(): Promise<ListenerStatus | null> {
    const { operator, tenant } = this.place;
    try {
      const found = await operator.get(`${createListPath(tenant)}/${this.destination}`);
      const { status, disabled_reason: reason } = found;
      if (status === 'deleted') return DELETED;
      return status === 'disabled' ? { status, reason: String(reason) } : ACTIVE;
    } catch (error) {
      return error instanceof CallFailed && error.exitCode === EXIT.notFound ? DELETED : null;
    }
  }

  private async proveKey(): Promise<void> {
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
    const webhook = await this.readWebhook(request, body);
    // The response goes first: its result is to be recorded, and the caller may end the listener.
    response.writeHead(webhook.status).end();
    this.onWebhook(webhook);
  }

  private async readWebhook(request: IncomingMessage, body: Buffer): Promise<ReceivedWebhook> {
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

const createListPath = (tenant: string): string => `/operator/v1/tenants/${tenant}/destinations`;

const readSubscriberId = (body: Buffer): string => {
  try {
    const { subscriber } = JSON.parse(body.toString()) as { subscriber?: { id?: string } };
    return subscriber?.id ?? '';
  } catch {
    return '';
  }
};

/** Removes the destinations of listeners that were killed: nothing answers at their port. */
const removeDeadListeners = async (operator: Client, path: string): Promise<void> => {
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
export const parseForwardUrl = (text: string): URL => {
  const whole = /^\d+$/.test(text) ? `http://127.0.0.1:${text}` : text;
  if (URL.canParse(whole) && /^https?:$/.test(new URL(whole).protocol)) return new URL(whole);
  throw new InvalidArgumentError(
    'A port or the address of your server is expected, for example http://localhost:4000/webhooks.',
  );
};
