import axios, { AxiosError, type AxiosInstance } from 'axios';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';

const TIMEOUT_MS = 30_000;
const PAGE_ITEMS_MAX = 100;

type Json = Record<string, unknown>;

/** Exit codes by the kind of error; the README lists them. */
export const EXIT = {
  failed: 1,
  usage: 2,
  unreachable: 3,
  credential: 4,
  notFound: 5,
  refused: 6,
  serviceError: 7,
} as const;

/** An error response of the service, or no response. The message tells what to do. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
    /** The field that the service refused; null if the error names none. */
    readonly param: string | null = null,
  ) {
    super(message);
  }
}

const findExitCode = (error: unknown): number => {
  if (!(error instanceof AxiosError)) return EXIT.failed;
  const status = error.response?.status;
  if (status === undefined) return EXIT.unreachable;
  if (status === 401 || status === 403) return EXIT.credential;
  if (status === 404) return EXIT.notFound;
  return status < 500 ? EXIT.refused : EXIT.serviceError;
};

const findParam = (error: unknown): string | null =>
  error instanceof AxiosError ? (readErrorBody(error)?.param ?? null) : null;

interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

/** Returns the error in a response; undefined if the response comes from another program. */
const readErrorBody = ({ response }: AxiosError): ErrorBody | undefined =>
  (response?.data as { error?: ErrorBody } | undefined)?.error;

/** Codes of Node.js for a certificate that no known authority has signed. */
const UNTRUSTED_CERTIFICATE_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Calls the service with one credential. Errors become messages for a person. */
export class Client {
  private readonly http: AxiosInstance;

  constructor(
    private readonly url: string,
    credential: string,
  ) {
    if (!URL.canParse(url)) {
      throw new CallFailed(
        `"${url}" is not the address of a service. Name one with --service or SERVICE_URL, for example http://127.0.0.1:3000.`,
        EXIT.usage,
      );
    }
    this.http = axios.create({
      baseURL: url,
      timeout: TIMEOUT_MS,
      proxy: false,
      headers: { authorization: `Bearer ${credential}` },
    });
  }

  get(path: string, params: Json = {}): Promise<Json> {
    return this.send('get', path, { params });
  }

  /** Sends a change with an Idempotency-Key, so that it can be repeated after a lost response. */
  change(method: 'post' | 'put' | 'patch' | 'delete', path: string, data?: Json): Promise<Json> {
    const headers = { 'idempotency-key': randomUUID() };
    return this.send(method, path, { headers, ...(data === undefined ? {} : { data }) });
  }

  /** Streams a file of any length. */
  async upload(path: string, body: Readable): Promise<Json> {
    return this.send('post', path, {
      data: body,
      headers: { 'content-type': 'application/x-ndjson' },
      timeout: 0,
    });
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

  private async send(
    method: string,
    url: string,
    options: {
      params?: Json;
      data?: Json | Readable;
      headers?: Record<string, string>;
      timeout?: number;
    },
  ): Promise<Json> {
    try {
      const { data } = await this.http.request<Json | ''>({
        method,
        url,
        maxBodyLength: Infinity,
        // To follow a redirect, the library would keep the whole body in memory.
        maxRedirects: 0,
        ...options,
      });
      return data === '' ? {} : data;
    } catch (error) {
      throw new CallFailed(this.explain(error), findExitCode(error), findParam(error));
    }
  }

  private explain(error: unknown): string {
    if (!(error instanceof AxiosError)) return String(error);
    const body = readErrorBody(error);
    if (body !== undefined) return `${body.message} (${body.code})`;
    if (error.code === 'ECONNREFUSED') {
      return `Nothing answers at ${this.url}. Start the service with "npm start", or name it with --service.`;
    }
    if (UNTRUSTED_CERTIFICATE_CODES.has(error.code ?? '')) {
      return `The certificate of ${this.url} is not trusted (${error.code}). If it is self-signed or of your own authority, name that certificate's file: NODE_EXTRA_CA_CERTS=/path/to/ca.pem`;
    }
    return error.message;
  }
}
