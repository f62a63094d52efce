import { ConnectionError, type ErrorFacts, createServiceError, TimeoutError } from './errors';
import type { CallOptions, RequestInfo, ServiceOptions } from './options';

export interface Call {
  readonly method: string;
  /** The path, with `/v1` and without the base URL. */
  readonly path: string;
  readonly query?: object | undefined;
  /** An object is sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  /** The media type of a body that is text or bytes. */
  readonly contentType?: string | undefined;
  readonly options?: CallOptions | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const LOG_POSITION = 'x-service-log-position';
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 8_000;
/**
 * The longest wait before a retry, in ms. If the service asks for more, the caller gets the error.
 */
const WAIT_MAX_MS = 60_000;

/**
 * Sends calls. All attempts of a call have one Idempotency-Key. Each attempt has a time limit, and
 * there is a wait between two attempts.
 */
export class Transport {
  /** Log position of the latest write. Reads ask for data up to this position or later. */
  private position = 0n;

  constructor(private readonly options: ServiceOptions) {}

  async send(call: Call): Promise<Answer> {
    const { maxRetries = this.options.maxRetries ?? 2, signal } = call.options ?? {};
    const request = this.createRequest(call);
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      const info = { ...request.info, attempt };
      const isLast = attempt > maxRetries;
      const outcome = await this.try(call, request, info).catch((error: unknown) => {
        if (isLast || !(error instanceof ConnectionError)) throw error;
        return error;
      });
      const delayMs = computeRetryDelayMs(outcome, attempt);
      if (delayMs === null || isLast || delayMs > WAIT_MAX_MS) {
        if (outcome instanceof Error) throw outcome;
        return requireSuccess(outcome);
      }
      const reason = outcome instanceof Error ? outcome : outcome.status;
      this.options.onRetry?.({ ...info, reason, delayMs });
      await pause(delayMs, signal);
    }
  }

  private createRequest({ method, path, query, body, contentType, options = {} }: Call) {
    const { apiKey, baseUrl = '', credentials } = this.options;
    // A header cannot carry it: it was not copied in one piece.
    if (/[^!-~]/.test(apiKey ?? '')) throw new TypeError('apiKey is not a key');
    const isRead = method === 'GET';
    const idempotencyKey = isRead ? null : (options.idempotencyKey ?? crypto.randomUUID());
    const isText = typeof body === 'string' || body instanceof Uint8Array || body instanceof Blob;
    const headers: Record<string, string> = { accept: 'application/json', ...this.options.headers };
    if (apiKey !== undefined) headers['authorization'] = `Bearer ${apiKey}`;
    if (idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey;
    if (body !== undefined) {
      headers['content-type'] = (isText ? contentType : undefined) ?? 'application/json';
    }
    if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch;
    if (isRead && this.position > 0n) headers[LOG_POSITION] = String(this.position);
    const url = `${cleanBaseUrl(baseUrl)}${path}${createQuery(query)}`;
    return {
      info: { method, url, idempotencyKey },
      init: {
        method,
        headers: { ...headers, ...options.headers },
        credentials,
        body: isText ? (body as string) : JSON.stringify(body),
      } as RequestInit,
    };
  }

  /** Makes one attempt, from the request to the last byte of the response. */
  private async try(
    { options = {} }: Call,
    { init }: { readonly init: RequestInit },
    info: RequestInfo,
  ): Promise<Answer> {
    const { timeoutMs = this.options.timeoutMs ?? 30_000 } = options;
    const limit = new AbortController();
    const stop = (): void => {
      limit.abort(options.signal?.reason);
    };
    const timer = setTimeout(() => {
      limit.abort(new TimeoutError(`No response in ${timeoutMs} ms`));
    }, timeoutMs);
    options.signal?.addEventListener('abort', stop);
    const startedAt = Date.now();
    this.options.onRequest?.(info);
    try {
      const send = this.options.fetch ?? fetch;
      const response = await send(info.url, { ...init, signal: limit.signal });
      const answer = await readAnswer(response);
      this.notePosition(answer);
      this.options.onResponse?.({
        ...info,
        status: answer.status,
        requestId: answer.headers.get('x-request-id'),
        durationMs: Date.now() - startedAt,
      });
      return answer;
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason as Error;
      if (limit.signal.aborted) throw limit.signal.reason as Error;
      if (error instanceof ConnectionError) throw error;
      throw new ConnectionError(describeNoResponse(info, error), { cause: error });
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
    }
  }

  private notePosition({ headers }: Answer): void {
    const text = headers.get(LOG_POSITION);
    if (text === null || !/^\d+$/.test(text)) return;
    const position = BigInt(text);
    if (position > this.position) this.position = position;
  }
}

/** Returns the base URL without `/v1` and slashes at its end. In a page it may be relative. */
const cleanBaseUrl = (text: string): string => {
  const base = text.replace(/(\/v1)?\/*$/, '');
  const isValid = /^(https?:\/\/[^/@]+)?(\/|$)/.test(base);
  if (isValid && (base.startsWith('h') || 'location' in globalThis)) return base;
  throw new TypeError('baseUrl must be a URL such as http://127.0.0.1:3000');
};

/** Names the address and the reason. The query is left out: it may have personal data. */
const describeNoResponse = ({ method, url }: RequestInfo, error: unknown): string => {
  const { code } = (error as { cause?: { code?: string } }).cause ?? {};
  const reason = code === 'ECONNREFUSED' ? 'nothing answers there' : (code ?? 'connection lost');
  return `No response to ${method} ${url.replace(/\?.*/, '')}: ${reason}`;
};

/** Reads the complete response. An incomplete body counts as no response. */
const readAnswer = async (response: Response): Promise<Answer> => {
  const { status, headers } = response;
  const text = await response.text();
  if (text === '' || !headers.get('content-type')?.includes('json')) {
    return { status, headers, body: text === '' ? undefined : text };
  }
  try {
    return { status, headers, body: JSON.parse(text) as unknown };
  } catch (error) {
    throw new ConnectionError('The response is incomplete', { cause: error });
  }
};

/** Returns the wait in ms before another attempt; null if there must be none. */
const computeRetryDelayMs = (outcome: Answer | Error, attempt: number): number | null => {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LAST_DELAY_MS);
  const jittered = backoff * (0.75 + Math.random() / 4);
  if (outcome instanceof Error) return jittered;
  const asked = readRetryAfter(outcome.headers);
  if (!RETRIED.has(outcome.status) && !(outcome.status === 409 && asked !== null)) return null;
  return asked === null ? jittered : asked * 1000;
};

/** Reads `Retry-After`, which is a number of seconds or a date, as seconds. */
const readRetryAfter = (headers: Headers): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
};

const requireSuccess = (answer: Answer): Answer => {
  if (answer.status >= 400) throw createServiceError(readErrorFacts(answer));
  if (!answer.headers.get('content-type')?.includes('html')) return answer;
  throw new TypeError('baseUrl is not the service: it answers with HTML');
};

const readErrorFacts = ({ status, headers, body }: Answer): ErrorFacts => {
  const { error } = (body ?? {}) as {
    error?: Partial<ErrorFacts> & { doc_url?: string; request_id?: string };
  };
  return {
    status,
    code: error?.code ?? (status >= 500 ? 'internal_error' : 'request_malformed'),
    type: error?.type ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
    message: error?.message ?? `The service answered ${status}`,
    param: error?.param ?? null,
    details: error?.details ?? {},
    errors: error?.errors ?? [],
    docUrl: error?.doc_url ?? '',
    requestId: error?.request_id ?? headers.get('x-request-id') ?? '',
    retryAfterSeconds: readRetryAfter(headers),
  };
};

/**
 * Creates a query string. A list becomes one comma-separated value; undefined values are omitted.
 */
const createQuery = (query: object | undefined): string => {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return '';
  return `?${new URLSearchParams(entries as [string, string][]).toString()}`;
};

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop);
  });
