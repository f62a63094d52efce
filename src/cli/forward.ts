import type { IncomingHttpHeaders } from 'node:http';

/** Longest wait for an answer, the same as the service's own. */
const TIMEOUT_MS = 14_000;
const NO_ANSWER = 502;
/**
 * Headers of the connection between the service and this listener. They do not belong to the
 * webhook.
 */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

export interface Forwarded {
  readonly status: number;
  readonly durationMs: number;
  /** The reason for no answer; null if there was one. */
  readonly error: string | null;
}

/** Forwards a webhook with the same bytes and headers, so that the receiver can verify it too. */
export const forwardTo = async (
  url: URL,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Promise<Forwarded> => {
  const startedAt = performance.now();
  const parseDurationMs = (): number => Math.round(performance.now() - startedAt);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: selectHeaders(headers),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    return { status: answer.status, durationMs: parseDurationMs(), error: null };
  } catch (error) {
    return { status: NO_ANSWER, durationMs: parseDurationMs(), error: describeReason(error) };
  }
};

const selectHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => !OF_THE_CONNECTION.has(name) && typeof value === 'string')
      .map(([name, value]) => [name, String(value)]),
  );

const describeReason = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? message;
};
