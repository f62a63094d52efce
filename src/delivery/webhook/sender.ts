import { Axios, AxiosError, type AxiosAdapter } from 'axios';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AddressGuard, AddressRefused } from './address-guard';
import type { LocalListeners } from './local-listeners';
import { skippingContinue } from './interim';
import { StoreGuard } from './sender-stores';
import { proxyAgent } from './sender-proxy';
import type { AttemptResult } from '../model/verdict';

const BODY_READ_MAX_BYTES = 64 * 1024;
const CONNECTIONS_PER_ORIGIN = 512;
/** TLS sessions to take up again, of all receivers together. */
const TLS_SESSIONS_MAX = 1_000;
const RESPONSE_HEADER_MAX_BYTES = 16 * 1024;

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface SenderOptions {
  /** From connecting to the last byte read. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly guard: AddressGuard;
  /** Listeners on this machine, which the guard would refuse. */
  readonly listeners?: LocalListeners;
  /** Without it no store listens on TCP. */
  readonly storeGuard?: StoreGuard;
  /** All deliveries leave through it. */
  readonly proxyUrl?: string | undefined;
}

/**
 * Sends one attempt and reports how it ended; it never throws. axios, over undici's connections:
 * its own adapter reaches a third of the throughput. Redirects are not followed, nothing is
 * decompressed, proxy variables of the environment are ignored (D-68).
 */
export class Sender {
  private readonly agent: Dispatcher;
  private readonly http: InstanceType<typeof Axios>;

  constructor(private readonly options: SenderOptions) {
    const { timeoutMs } = options;
    this.agent = agentOf(options);
    // Not `axios.create`: its defaults are merged and its transformations run at every attempt.
    this.http = new Axios({
      adapter: overUndici(this.agent),
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
        error: reasonOf(error),
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

const agentOf = ({
  connectTimeoutMs,
  guard,
  storeGuard = NO_STORES,
  proxyUrl,
}: SenderOptions): Dispatcher => {
  const shared = {
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    maxHeaderSize: RESPONSE_HEADER_MAX_BYTES,
    // The whole attempt has one time-out; these would only cut it differently.
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
        connect: skippingContinue(storeGuard.protect(buildConnector(connect))),
      })
    : proxyAgent({ url: proxyUrl, connectTimeoutMs, guard, storeGuard, connections: shared });
};

/** undici's `dispatch`, without the streams and signals of its `request`: half the work per attempt. */
const overUndici =
  (dispatcher: Dispatcher): AxiosAdapter =>
  async (config) => {
    const { origin, pathname, search } = new URL(config.url ?? '');
    const request: Dispatcher.DispatchOptions = {
      origin,
      path: pathname + search,
      method: 'POST',
      headers: config.headers.toJSON() as Record<string, string>,
      body: config.data as string,
    };
    const { status, headers, data } = await new Promise<Answer>((resolve, reject) => {
      dispatcher.dispatch(request, new Exchange(config.timeout ?? 0, resolve, reject));
    });
    return { status, statusText: '', headers, data, config };
  };

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly data: string;
}

/** One request and its answer, cut off when its time is up or its body has been read far enough. */
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
    private readonly answered: (answer: Answer) => void,
    private readonly failed: (error: Error) => void,
  ) {
    this.timer = setTimeout(() => {
      this.cutOff(new TimeoutError());
    }, timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Its time was up while it waited for a connection.
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
    // What comes after the limit is not read, and the connection is closed.
    if (this.bytes >= BODY_READ_MAX_BYTES) this.cutOff();
  }

  onResponseEnd(): void {
    clearTimeout(this.timer);
    const data = Buffer.concat(this.chunks).subarray(0, BODY_READ_MAX_BYTES).toString();
    this.answered({ status: this.status, headers: this.headers, data });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.timer);
    this.failed(error);
  }

  private cutOff(error?: Error): void {
    if (error) this.failed(error);
    else this.onResponseEnd();
    this.ended = error ?? new Error('read far enough');
    this.controller?.abort(this.ended);
  }
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

const TIMEOUTS = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError']);

/** A short reason that names no address: it is shown in the delivery log. */
const reasonOf = (thrown: unknown): string => {
  const error = thrown instanceof AxiosError ? (thrown.cause ?? thrown) : thrown;
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  if (typeof name === 'string' && TIMEOUTS.has(name)) return 'timeout';
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'unknown_error';
};
