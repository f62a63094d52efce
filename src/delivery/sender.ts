import axios, { AxiosError, type AxiosAdapter, type AxiosInstance, AxiosHeaders } from 'axios';
import { Agent, buildConnector, type Dispatcher, ProxyAgent, request } from 'undici';
import { AddressGuard, AddressRefused } from './address-guard';
import type { AttemptResult } from './verdict';

const BODY_READ_MAX_BYTES = 64 * 1024;
const CONNECTIONS_PER_ORIGIN = 512;
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
  /** All deliveries leave through it; then it has to check the addresses of names. */
  readonly proxyUrl?: string | undefined;
}

/**
 * Sends one attempt and reports how it ended; it never throws. axios, over undici's connections:
 * its own adapter reaches a third of the throughput. Redirects are not followed, nothing is
 * decompressed, proxy variables of the environment are ignored (D-68).
 */
export class Sender {
  private readonly agent: Dispatcher;
  private readonly http: AxiosInstance;

  constructor(private readonly options: SenderOptions) {
    const { timeoutMs } = options;
    this.agent = agentOf(options);
    this.http = axios.create({
      adapter: overUndici(this.agent),
      timeout: timeoutMs,
      validateStatus: () => true,
      transformRequest: [(body: unknown) => body],
      transformResponse: [(body: unknown) => body],
    });
  }

  async send({ url, headers, body }: Outgoing): Promise<AttemptResult> {
    const startedAt = performance.now();
    try {
      if (!this.options.guard.allowsLiteral(new URL(url).hostname)) throw new AddressRefused();
      const response = await this.http.post<string>(url, body, { headers });
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

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

const agentOf = ({ connectTimeoutMs, guard, proxyUrl }: SenderOptions): Dispatcher => {
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
  };
  return proxyUrl === undefined
    ? new Agent({ ...shared, connect })
    : new ProxyAgent({ ...shared, uri: proxyUrl, requestTls: { timeout: connectTimeoutMs } });
};

const overUndici =
  (dispatcher: Dispatcher): AxiosAdapter =>
  async (config) => {
    const response = await request(config.url ?? '', {
      dispatcher,
      method: 'POST',
      headers: AxiosHeaders.from(config.headers).toJSON() as Record<string, string>,
      body: config.data as string,
      signal: AbortSignal.timeout(config.timeout ?? 0),
    });
    return {
      data: await readUpTo(response.body, BODY_READ_MAX_BYTES),
      status: response.statusCode,
      statusText: '',
      headers: new AxiosHeaders(response.headers as Record<string, string>),
      config,
    };
  };

/** The beginning of a body; what comes after the limit is not read, and the connection is closed. */
const readUpTo = async (
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
};

/** A short reason that names no address: it is shown in the delivery log. */
const reasonOf = (thrown: unknown): string => {
  const error = thrown instanceof AxiosError ? (thrown.cause ?? thrown) : thrown;
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  if (name === 'TimeoutError' || name === 'ConnectTimeoutError') return 'timeout';
  if (typeof code === 'string') return code;
  return typeof name === 'string' ? name : 'unknown_error';
};
