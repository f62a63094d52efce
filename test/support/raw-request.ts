import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The code of an error body; null if there is none. */
  readonly code: string | null;
}

export interface RawRequest {
  readonly method: string;
  /** The target is sent unchanged, because client libraries would normalise it. */
  readonly target: string;
  readonly credential?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends a request with a target that no client library normalises. */
export const sendRaw = async (base: string, sent: RawRequest): Promise<RawAnswer> => {
  const { hostname, port } = new URL(base);
  const { method, target, credential = null, headers = {}, body } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path: target,
        headers: {
          ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
          ...headers,
        },
      },
      (incoming) => {
        text(incoming).then((received) => {
          const { statusCode: status = 0 } = incoming;
          resolve({
            status,
            headers: incoming.headers,
            body: received,
            code: readErrorCode(received),
          });
        }, reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
};

const readErrorCode = (body: string): string | null => {
  try {
    return (JSON.parse(body) as { error?: { code?: string } }).error?.code ?? null;
  } catch {
    return null;
  }
};
