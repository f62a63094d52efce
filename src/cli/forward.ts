import axios, { AxiosError } from 'axios';
import type { IncomingHttpHeaders } from 'node:http';

/** Time limit of a forwarded call. It is as long as the service's own for a delivery. */
const TIMEOUT_MS = 14_000;
const NO_ANSWER = 502;
/** Headers that belong to the connection from the service and not to the webhook. */
const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

export interface Forwarded {
  readonly status: number;
  readonly durationMs: number;
  /** The reason why there is no response; null if there is one. */
  readonly error: string | null;
}

/** Forwards a webhook with the same bytes and headers, so that the receiver can verify it too. */
export const forwardTo = async (
  url: URL,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Forwarded> => {
  const startedAt = performance.now();
  const measureMs = (): number => Math.round(performance.now() - startedAt);
  try {
    // The function "fetch" refuses some ports, for example 6000, without a call.
    const { status } = await axios.post(url.href, body, {
      headers: selectHeaders(headers),
      responseType: 'arraybuffer',
      maxBodyLength: Infinity,
      maxRedirects: 0,
      proxy: false,
      timeout: TIMEOUT_MS,
      validateStatus: null,
    });
    return { status, durationMs: measureMs(), error: null };
  } catch (error) {
    return { status: NO_ANSWER, durationMs: measureMs(), error: describeReason(error) };
  }
};

const selectHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => !CONNECTION_HEADERS.has(name) && typeof value === 'string')
      .map(([name, value]) => [name, String(value)]),
  );

const describeReason = (error: unknown): string => {
  const { code, message } = error as AxiosError;
  return code === AxiosError.ECONNABORTED
    ? `no response within ${TIMEOUT_MS / 1_000} s`
    : (code ?? message);
};
