/** A request, as it is passed to a hook. The headers do not contain the API key. */
export interface RequestInfo {
  readonly method: string;
  readonly url: string;
  /** Number of this attempt, beginning with 1. */
  readonly attempt: number;
  readonly idempotencyKey: string | null;
}

export interface ResponseInfo extends RequestInfo {
  readonly status: number;
  readonly requestId: string | null;
  /** The version of the object, for `ifMatch`; null if the response has none. */
  readonly etag: string | null;
  readonly durationMs: number;
}

export interface RetryInfo extends RequestInfo {
  /** The reason why the attempt failed: a status, or an error if there was no response. */
  readonly reason: number | Error;
  readonly delayMs: number;
}

/** Called before each request and after each response: for logs, metrics and traces. */
export interface Hooks {
  readonly onRequest?: (info: RequestInfo) => void;
  readonly onResponse?: (info: ResponseInfo) => void;
  readonly onRetry?: (info: RetryInfo) => void;
}

export interface ServiceOptions extends Hooks {
  /** URL of the service. The default in a page is the address of the page. */
  readonly baseUrl?: string;
  /** A secret API key. Leave it out if a cookie identifies the caller (`credentials`). */
  readonly apiKey?: string;
  /** Number of retries after the first attempt, from 0. Default: 2. */
  readonly maxRetries?: number;
  /** The time limit of one attempt, in milliseconds, from 1. The default is 30,000. */
  readonly timeoutMs?: number;
  /** The fetch function to use. */
  readonly fetch?: typeof fetch;
  /** The mode for cookies. Use `same-origin` in pages that the service itself serves. */
  readonly credentials?: 'omit' | 'same-origin' | 'include';
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The signing secrets of your destinations, for `webhooks.unwrap`. */
  readonly webhookSecrets?: string | readonly string[];
}

/** Options of one call. */
export interface CallOptions {
  /**
   * The Idempotency-Key: a repeated call with the same key has no second effect. The default is a
   * random key.
   */
  readonly idempotencyKey?: string;
  /**
   * The `ETag` that you read, as `onResponse` has it. If it is outdated, the call fails with `version_conflict`. */
  readonly ifMatch?: string;
  /** Aborts the call and its retries. */
  readonly signal?: AbortSignal;
  readonly maxRetries?: number;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
