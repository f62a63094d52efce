import { requirePresent } from '../../kernel/present';
import { Axios, AxiosError, type AxiosAdapter } from 'axios';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AddressGuard, AddressRefused } from './address-guard';
import type { LocalListeners } from './local-listeners';
import { skipContinue } from './interim-responses';
import { StoreGuard } from './sender-store-guard';
import { createProxyAgent } from './sender-proxy';
import { toFailureReason } from '../model/failure-reason';
import type { AttemptResult } from '../model/verdict';

const BODY_READ_MAX_BYTES = 64 * 1024;
const CONNECTIONS_PER_ORIGIN = 512;
/** Number of cached TLS sessions for resumption, all receivers together. */
const TLS_SESSIONS_MAX = 1_000;
const RESPONSE_HEADER_MAX_BYTES = 16 * 1024;

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface SenderOptions {
  /** Time limit from connecting to the last byte read. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly guard: AddressGuard;
  /** Listeners on this machine, which the guard would otherwise refuse. */
  readonly listeners?: LocalListeners;
  /** Guard of the service's own stores; undefined if none listens on TCP. */
  readonly storeGuard?: StoreGuard;
  /** Proxy that all deliveries use. */
  readonly proxyUrl?: string | undefined;
}

/**
 * Sends one attempt and returns the result; it never throws. It uses axios over undici's
 * connections, because axios's own adapter reaches a third of the throughput. Redirects are not
 * followed, nothing is decompressed, and proxy variables of the environment are ignored (D-68).
 */
export class Sender {
  private readonly agent: Dispatcher;
  private readonly http: InstanceType<typeof Axios>;

  constructor(private readonly options: SenderOptions) {
    const { timeoutMs } = options;
    this.agent = createAgent(options);
    // This is not `axios.create`, whose merged defaults and transformations would run at every
    // attempt.
    this.http = new Axios({
      adapter: createUndiciAdapter(this.agent),
      timeout: timeoutMs,
      validateStatus: () => true,
    });
  }

  async send({ url, headers, body }: Outgoing): Promise<AttemptResult> {
    const startedAt = performance.now();
    try {
      if (!this.allows(url)) throw new AddressRefused();
      const response = await this.http.request<string>({
        method: 'post',
        url,
        headers: { accept: '*/*', ...headers },
        data: body,
      });
      const retryAfter = response.headers['retry-after'] as unknown;
      return {
        statusCode: response.status,
        error: null,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        body: response.data,
        durationMs: Math.round(performance.now() - startedAt),
      };
    } catch (error) {
      return {
        statusCode: null,
        error: toReason(error),
        retryAfter: null,
        body: '',
        durationMs: Math.round(performance.now() - startedAt),
      };
    }
  }

  private allows(url: string): boolean {
    const { guard, listeners } = this.options;
    return guard.allowsLiteral(new URL(url).hostname) || listeners?.admits(url) === true;
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

const NO_STORES = new StoreGuard([]);

const createAgent = ({
  connectTimeoutMs,
  guard,
  storeGuard = NO_STORES,
  proxyUrl,
}: SenderOptions): Dispatcher => {
  const shared = {
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    maxHeaderSize: RESPONSE_HEADER_MAX_BYTES,
    // The whole attempt has one time limit, which covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const connect: buildConnector.BuildOptions = {
    timeout: connectTimeoutMs,
    lookup: guard.lookup,
    maxCachedSessions: TLS_SESSIONS_MAX,
  };
  return proxyUrl === undefined
    ? new Agent({
        ...shared,
        connect: skipContinue(storeGuard.protect(buildConnector(connect))),
      })
    : createProxyAgent({ url: proxyUrl, connectTimeoutMs, guard, storeGuard, connections: shared });
};

/**
 * An axios adapter that calls undici's `dispatch`. Without the streams and signals of undici's
 * `request` it does half the work per attempt.
 */
const createUndiciAdapter =
  (dispatcher: Dispatcher): AxiosAdapter =>
  async (config) => {
    const { origin, pathname, search } = new URL(
      requirePresent(config.url, 'the URL of a request'),
    );
    const request: Dispatcher.DispatchOptions = {
      origin,
      path: pathname + search,
      method: 'POST',
      headers: config.headers.toJSON() as Record<string, string>,
      body: config.data as string,
    };
    const timeoutMs = requirePresent(config.timeout, 'the time limit of a request');
    const { status, headers, data } = await new Promise<ReceiverAnswer>((resolve, reject) => {
      dispatcher.dispatch(request, new Exchange(timeoutMs, resolve, reject));
    });
    return { status, statusText: '', headers, data, config };
  };

interface ReceiverAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly data: string;
}

/**
 * One request and its response. It is cut off when its time is up or enough of its body was read.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | undefined;
  private ended: Error | undefined;
  private status = 0;
  private headers: Record<string, string> = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(
    timeoutMs: number,
    private readonly onAnswer: (answer: ReceiverAnswer) => void,
    private readonly onFailure: (error: Error) => void,
  ) {
    this.timer = setTimeout(() => {
      this.cutOff(new TimeoutError());
    }, timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The time limit passed while it waited for a connection.
    if (this.ended) controller.abort(this.ended);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.status = status;
    this.headers = headers as Record<string, string>;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    // The rest of the body is not read, and the connection is closed.
    if (this.bytes >= BODY_READ_MAX_BYTES) this.cutOff();
  }

  onResponseEnd(): void {
    clearTimeout(this.timer);
    const data = Buffer.concat(this.chunks).subarray(0, BODY_READ_MAX_BYTES).toString();
    this.onAnswer({ status: this.status, headers: this.headers, data });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.timer);
    this.onFailure(error);
  }

  private cutOff(error?: Error): void {
    if (error) this.onFailure(error);
    else this.onResponseEnd();
    this.ended = error ?? new Error('read far enough');
    this.controller?.abort(this.ended);
  }
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Returns a short reason without an address, because the delivery log shows it. */
const toReason = (thrown: unknown): string =>
  toFailureReason(thrown instanceof AxiosError ? (thrown.cause ?? thrown) : thrown);
