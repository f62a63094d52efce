/** A request as a hook sees it. The headers do not contain the API key. */
export interface RequestInfo {
  readonly method: string;
  readonly url: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly idempotencyKey: string | null;
}

export interface ResponseInfo extends RequestInfo {
  readonly status: number;
  readonly requestId: string | null;
  readonly durationMs: number;
}

export interface RetryInfo extends RequestInfo {
  /** Why the try failed: a status, or an error where no answer came. */
  readonly reason: number | Error;
  readonly delayMs: number;
}

/** Called as requests go out and come back: for logs, metrics and traces. */
export interface Hooks {
  readonly onRequest?: (info: RequestInfo) => void;
  readonly onResponse?: (info: ResponseInfo) => void;
  readonly onRetry?: (info: RetryInfo) => void;
}

export interface ServiceOptions extends Hooks {
  /** URL of the service, without `/v1`. The default in a browser is the address of the page. */
  readonly baseUrl?: string;
  /** A secret API key. Left out where a cookie says who calls (`credentials`). */
  readonly apiKey?: string;
  /** Number of retries after the first try. Default: 2. */
  readonly maxRetries?: number;
  /** The time limit of one try, in milliseconds. The default is 30,000. */
  readonly timeoutMs?: number;
  /** The fetch function to use. */
  readonly fetch?: typeof fetch;
  /** Sends cookies: `same-origin` for pages that the service itself serves. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The signing secrets of your destinations, for `webhooks.unwrap`. */
  readonly webhookSecrets?: string | readonly string[];
}

/** Options of one call. */
export interface CallOptions {
  /** Names the call: a repeat with the same key has no second effect. Random unless given. */
  readonly idempotencyKey?: string;
  /** The `ETag` that you read: the call fails with `version_conflict` where it is outdated. */
  readonly ifMatch?: string;
  /** Ends the call, and its retries. */
  readonly signal?: AbortSignal;
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
