/**
 * Calls that the SDK does not have: the console's own endpoints below `/console/v1` (session,
 * members, invitations, keys, settings) and those of operators below `/operator/v1`.
 */

/** The error body of every endpoint of the service. */
export interface ErrorBody {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly request_id: string;
}

/** A call that was refused or failed. `status` is 0 if there was no response. */
export class ConsoleError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message);
  }

  get code(): string {
    return this.body.code;
  }
}

const unreachable: ErrorBody = {
  type: 'connection_error',
  code: 'connection_failed',
  message: 'The service did not answer. Check your connection and try again.',
  param: null,
  request_id: '',
};

export interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly tenantId?: string;
  readonly signal?: AbortSignal;
}

/** Calls an endpoint below `/console/v1` and returns its JSON; throws ConsoleError. */
export const callConsole = <T>(path: string, options: CallOptions = {}): Promise<T> =>
  call(`/console/v1${path}`, options);

let noteRefusal = (): void => undefined;

/** Sets what is done when a response says that the session has ended. */
export const onSessionEnd = (note: () => void): void => {
  noteRefusal = note;
};

/** The `fetch` of all calls. A poll that nobody waits for sees the end of the session too. */
export const fetchWatched: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.status === 401) noteRefusal();
  return response;
};

/** Calls an endpoint by its complete path. */
export const call = async <T>(path: string, options: CallOptions = {}): Promise<T> => {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  if (options.tenantId !== undefined) headers['x-service-tenant'] = options.tenantId;
  const init: RequestInit = {
    method: options.method ?? 'GET',
    headers,
    credentials: 'same-origin',
  };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  if (options.signal !== undefined) init.signal = options.signal;
  const response = await fetchWatched(path, init).catch((error: unknown) => {
    if (options.signal?.aborted === true) throw error;
    throw new ConsoleError(0, unreachable);
  });
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  throw new ConsoleError(response.status, readErrorBody(answer));
};

const readErrorBody = (answer: unknown): ErrorBody => {
  if (typeof answer === 'object' && answer !== null && 'error' in answer) {
    return answer.error as ErrorBody;
  }
  return unreachable;
};
