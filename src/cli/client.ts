import axios, { type AxiosInstance, isAxiosError } from 'axios';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { CallFailed, createStrangerError, describeCallError, EXIT } from './failures';
import { parseServiceUrl, type ServiceAddress } from './service-address';

const TIMEOUT_MS = 30_000;
const PAGE_ITEMS_MAX = 100;
/** The longest wait that a command obeys, in seconds. */
const WAIT_MAX_SECONDS = 60;
const WAITS_MAX = 10;

type Json = Record<string, unknown>;

interface CallOptions {
  readonly params?: Json;
  readonly data?: Json | Readable;
  readonly headers?: Record<string, string>;
  readonly timeout?: number;
}

interface ClientOptions {
  /** The source of the address, for error messages. */
  readonly origin?: string;
  /** The source of the credential, for error messages. */
  readonly credentialOrigin?: string;
  /** Called before the client waits because the service has refused a call for now. */
  readonly onWait?: (seconds: number) => void;
}

/** Calls the service with one credential. Errors become messages for a person. */
export class Client {
  private readonly http: AxiosInstance;
  private readonly address: ServiceAddress;
  private readonly onWait: (seconds: number) => void;
  private readonly credentialOrigin: string | undefined;
  /** True while a call waits because the service has refused it for now. */
  isWaiting = false;

  constructor(
    url: string,
    credential: string,
    { origin = 'the program', credentialOrigin, onWait = () => undefined }: ClientOptions = {},
  ) {
    const baseURL = parseServiceUrl(url);
    if (baseURL === null) {
      throw new CallFailed(
        `"${url}" is not the address of a service (from ${origin}). It must begin with http:// or https://, for example http://127.0.0.1:3000.`,
        EXIT.usage,
      );
    }
    this.address = { url: baseURL, origin };
    this.onWait = onWait;
    this.credentialOrigin = credentialOrigin;
    this.http = axios.create({
      baseURL,
      timeout: TIMEOUT_MS,
      proxy: false,
      headers: { authorization: `Bearer ${credential}` },
    });
  }

  get url(): string {
    return this.address.url;
  }

  get(path: string, params: Json = {}): Promise<Json> {
    return this.send('get', path, { params });
  }

  /** Sends a change with an Idempotency-Key, so that it can be repeated after a lost response. */
  change(method: 'post' | 'put' | 'patch' | 'delete', path: string, data?: Json): Promise<Json> {
    const headers = { 'idempotency-key': randomUUID() };
    return this.send(method, path, { headers, ...(data === undefined ? {} : { data }) });
  }

  /** Streams a file of any length. `open` is called for each attempt. */
  upload(path: string, open: () => Readable): Promise<Json> {
    const headers = { 'content-type': 'application/x-ndjson' };
    return this.send('post', path, () => ({ data: open(), headers, timeout: 0 }));
  }

  /** Yields all items of a list, or the first `max`, page by page. */
  async *list(path: string, params: Json = {}, max = Infinity): AsyncGenerator<Json> {
    let cursor: unknown;
    let left = max;
    do {
      if (left <= 0) return;
      const page = await this.get(path, {
        limit: Math.min(left, PAGE_ITEMS_MAX),
        ...params,
        ...(typeof cursor === 'string' ? { starting_after: cursor } : {}),
      });
      const items = page['data'] as Json[];
      yield* items;
      left -= items.length;
      cursor = page['has_more'] === true ? page['next_cursor'] : null;
    } while (typeof cursor === 'string');
  }

  /** Sends a call. If the service refuses it for now (429), waits and sends the same call again. */
  private async send(
    method: string,
    url: string,
    options: CallOptions | (() => CallOptions),
  ): Promise<Json> {
    for (let waits = 0; ; waits += 1) {
      try {
        return await this.try(method, url, typeof options === 'function' ? options() : options);
      } catch (error) {
        const seconds = waits < WAITS_MAX ? readWaitSeconds(error) : null;
        if (seconds === null) throw this.describe(error);
        this.onWait(seconds);
        this.isWaiting = true;
        await delay(seconds * 1_000);
        this.isWaiting = false;
      }
    }
  }

  private async try(method: string, url: string, options: CallOptions): Promise<Json> {
    const { data, status } = await this.http.request<unknown>({
      method,
      url,
      maxBodyLength: Infinity,
      // To follow a redirect, the library would keep the whole body in memory.
      maxRedirects: 0,
      ...options,
    });
    if (data === '') return {};
    if (typeof data === 'object' && data !== null) return data as Json;
    throw createStrangerError(status, this.address);
  }

  private describe(error: unknown): CallFailed {
    if (error instanceof CallFailed) return error;
    const failure = describeCallError(error, this.address);
    const { message, exitCode, apiError, status } = failure;
    if (exitCode !== EXIT.credential || this.credentialOrigin === undefined) return failure;
    const text = `${message}\nThe token or key comes from ${this.credentialOrigin}.`;
    return new CallFailed(text, exitCode, apiError, status);
  }
}

/** Returns the seconds of Retry-After of a refusal with 429; null if it must not be waited for. */
const readWaitSeconds = (error: unknown): number | null => {
  if (!isAxiosError(error) || error.response?.status !== 429) return null;
  const text = String(error.response.headers['retry-after'] ?? '');
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Infinity;
  return seconds <= WAIT_MAX_SECONDS ? seconds : null;
};
