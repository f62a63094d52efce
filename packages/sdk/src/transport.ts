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
const RETRIED = /^(408|429|50[0234])$/;
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
  private position: bigint | null = null;

  constructor(private readonly options: ServiceOptions) {}

  async send(call: Call): Promise<Answer> {
    const {
      maxRetries = this.options.maxRetries ?? 2,
      timeoutMs = this.options.timeoutMs ?? 30_000,
      signal,
    } = call.options ?? {};
    // A timer with a longer time would end at once.
    if (!(maxRetries >= 0 && timeoutMs >= 1 && timeoutMs < 2 ** 31)) {
      throw new TypeError('maxRetries or timeoutMs is out of range');
    }
    const request = this.createRequest(call);
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      const info = { ...request.info, attempt };
      const outcome = await this.try(request.init, info, timeoutMs, signal).catch(
        (error: unknown) => {
          if (!(error instanceof ConnectionError)) throw error;
          return error;
        },
      );
      const delayMs = computeRetryDelayMs(outcome, attempt);
      if (delayMs === null || attempt > maxRetries || delayMs > WAIT_MAX_MS) {
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
    const type = (isText ? contentType : null) ?? 'application/json';
    const headers = {
      accept: 'application/json',
      ...this.options.headers,
      ...omitAbsent({
        authorization: apiKey === undefined ? apiKey : `Bearer ${apiKey}`,
        'idempotency-key': idempotencyKey,
        'content-type': body === undefined ? body : type,
        'if-match': options.ifMatch,
        [LOG_POSITION]: isRead ? this.position : null,
      }),
      ...options.headers,
    };
    const url = `${cleanBaseUrl(baseUrl)}${path}${createQuery(query)}`;
    return {
      info: { method, url, idempotencyKey },
      init: {
        method,
        // It throws at once for a value that no header can carry.
        headers: new Headers(headers),
        credentials,
        // After a redirect, fetch would send a POST as a GET without a body.
        redirect: 'manual',
        body: isText ? (body as string) : JSON.stringify(body),
      } as RequestInit,
    };
  }

  /** Makes one attempt, from the request to the last byte of the response. */
  private async try(
    init: RequestInit,
    info: RequestInfo,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const limit = new AbortController();
    const stop = (): void => {
      limit.abort(signal?.reason);
    };
    const timer = setTimeout(() => {
      limit.abort(new TimeoutError(describeNoResponse(info, `${timeoutMs} ms passed`)));
    }, timeoutMs);
    signal?.addEventListener('abort', stop);
    const startedAt = Date.now();
    this.options.onRequest?.(info);
    try {
      const send = this.options.fetch ?? fetch;
      const response = await send(info.url, { ...init, signal: limit.signal });
      const answer = await readAnswer(response);
      const { status, headers } = answer;
      this.notePosition(answer);
      this.options.onResponse?.({
        ...info,
        status,
        requestId: headers.get('x-request-id'),
        etag: headers.get('etag'),
        durationMs: Date.now() - startedAt,
      });
      return answer;
    } catch (error) {
      if (limit.signal.aborted) throw limit.signal.reason as Error;
      if (error instanceof ConnectionError) throw error;
      const { code = 'connection lost' } = (error as { cause?: { code?: string } }).cause ?? {};
      const reason = code === 'ECONNREFUSED' ? 'nothing answers' : code;
      throw new ConnectionError(describeNoResponse(info, reason), { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  private notePosition({ headers }: Answer): void {
    const text = headers.get(LOG_POSITION) ?? '';
    const position = /^\d+$/.test(text) ? BigInt(text) : 0n;
    if (position > (this.position ?? 0n)) this.position = position;
  }
}

/** Returns the base URL without `/v1` and slashes at its end. In a page it may be relative. */
const cleanBaseUrl = (text: string): string => {
  const base = text.replace(/(\/v1)?\/*$/, '');
  const isValid = /^(https?:\/\/[^/@]+)?(\/|$)/.test(base);
  if (isValid && (base.startsWith('h') || 'location' in globalThis)) return base;
  throw new TypeError('baseUrl must be a URL such as http://127.0.0.1:3000');
};

const describeNoResponse = ({ method, url }: RequestInfo, reason: string): string =>
  `No response to ${method} ${removeQuery(url)}: ${reason}`;

/** Removes the query, which may have personal data. */
const removeQuery = (url: string): string => url.replace(/\?.*/, '');

/** Reads the complete response. An incomplete body counts as no response. */
const readAnswer = async (response: Response): Promise<Answer> => {
  const { status, headers } = response;
  const text = await response.text();
  if (text === '' || !headers.get('content-type')?.includes('json')) {
    return { status, headers, body: text || undefined };
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
  if (!RETRIED.test(`${outcome.status}`) && !(outcome.status === 409 && asked !== null))
    return null;
  return asked === null ? jittered : asked * 1000;
};

/** Reads `Retry-After`, which is a number of seconds or a date, as seconds. */
const readRetryAfter = (headers: Headers): number | null => {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
};

const requireSuccess = (answer: Answer): Answer => {
  const { status, headers, body } = answer;
  if (status >= 400) throw createServiceError(readErrorFacts(answer));
  // In a page, the response that redirects has the status 0 and no headers.
  const target = headers.get('location') ?? 'another address';
  if (/^(0|30[^4])$/.test(`${status}`)) {
    throw new TypeError(`baseUrl is not the service: it redirects to ${removeQuery(target)}`);
  }
  if (typeof body !== 'string') return answer;
  throw new TypeError('baseUrl is not the service: it answers text');
};

const readErrorFacts = ({ status, headers, body }: Answer): ErrorFacts => {
  const { error } = (body ?? {}) as {
    error?: Partial<ErrorFacts> & { doc_url?: string; request_id?: string };
  };
  const {
    doc_url: docUrl = '',
    request_id: requestId = headers.get('x-request-id') ?? '',
    ...facts
  } = error ?? {};
  const isFault = status >= 500;
  return {
    code: isFault ? 'internal_error' : 'request_malformed',
    type: isFault ? 'api_error' : 'invalid_request_error',
    message: `The service answered ${status}`,
    param: null,
    details: {},
    errors: [],
    ...facts,
    status,
    docUrl,
    requestId,
    retryAfterSeconds: readRetryAfter(headers),
  };
};

/**
 * Creates a query string. A list becomes one comma-separated value; absent values are omitted.
 */
const createQuery = (query: object | undefined): string => {
  const text = new URLSearchParams(omitAbsent(query ?? {})).toString();
  return text && `?${text}`;
};

const omitAbsent = (values: object): Record<string, string> =>
  Object.fromEntries(
    (Object.entries(values) as [string, string][]).filter(([, value]) => value != null),
  );

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
