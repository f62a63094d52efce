import { AxiosError } from 'axios';
import { createDataDirPrefix } from '../config/paste';
import { readDataDir, type ServiceAddress } from './service-address';

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

/** The error in a response of the service. Other fields are kept for `--json`. */
export interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly errors?: readonly { readonly param: string | null; readonly message: string }[];
}

/** Creates an error of the command line itself, in the shape that the API has. */
export const createOwnError = (
  code: string,
  message: string,
  errors: readonly object[] = [],
): ApiError => {
  // No page explains it, and no request caused it.
  const rest = { param: null, details: {}, errors, doc_url: null, request_id: null };
  return { type: 'command_line_error', code, message, ...rest } as ApiError;
};

/** An error of a command. The message tells what to do. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';

  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
    /** The error as the service reported it; null if it comes from the command itself. */
    readonly apiError: ApiError | null = null,
    /** The status of the response; null if the error comes from the command itself. */
    readonly status: number | null = null,
    /** A line that follows the message, for people. */
    readonly advice: string | null = null,
  ) {
    super(message);
  }

  withAdvice(advice: string, exitCode = this.exitCode): CallFailed {
    return new CallFailed(this.message, exitCode, this.apiError, this.status, advice);
  }
}

/** Converts an error of the HTTP library to one for a person. */
export const describeCallError = (error: unknown, address: ServiceAddress): CallFailed => {
  if (!(error instanceof AxiosError)) {
    return new CallFailed(error instanceof Error ? error.message : String(error));
  }
  if (error.response === undefined) {
    return new CallFailed(describeSilence(error, address), EXIT.unreachable);
  }
  const { status, headers } = error.response;
  const apiError = readApiError(error.response.data);
  if (apiError === undefined) return createStrangerError(status, address, headers['location']);
  const messages = [apiError, ...(apiError.errors ?? [])].map(({ message }) => message);
  const text = [...new Set(messages)].join('\n');
  return new CallFailed(`${text} (${apiError.code})`, findExitCode(status), apiError, status);
};

/** Returns the error in a response; undefined if the response comes from another program. */
const readApiError = (data: unknown): ApiError | undefined => {
  const { error } = (typeof data === 'object' && data !== null ? data : {}) as {
    error?: Partial<ApiError>;
  };
  return typeof error?.message === 'string' && typeof error.code === 'string'
    ? (error as ApiError)
    : undefined;
};

const findExitCode = (status: number): number => {
  if (status === 401 || status === 403) return EXIT.credential;
  if (status === 404) return EXIT.notFound;
  return status < 500 ? EXIT.refused : EXIT.serviceError;
};

/** Creates the error for a response that comes from another program or a proxy. */
export const createStrangerError = (
  status: number,
  { url, origin }: ServiceAddress,
  location?: unknown,
): CallFailed => {
  const target = typeof location === 'string' ? ` and redirects to ${location}` : '';
  return new CallFailed(
    `${url} answered with status ${status}${target}, but the response is not from this service. The address comes from ${origin}. Name the service with --service or SERVICE_URL.`,
    status < 500 ? EXIT.unreachable : EXIT.serviceError,
  );
};

/** Codes of Node.js for a certificate that no known authority has signed. */
const UNTRUSTED_CERTIFICATE_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const describeSilence = (error: AxiosError, { url, origin }: ServiceAddress): string => {
  const { code = '' } = error;
  if (UNTRUSTED_CERTIFICATE_CODES.has(code)) {
    return `The certificate of ${url} is not trusted (${code}). If it is self-signed or issued by your own authority, name that certificate's file: NODE_EXTRA_CA_CERTS=/path/to/ca.pem`;
  }
  return `${describeConnection(code, url)} The address comes from ${origin}.\n${adviseStart(url)}`;
};

const describeConnection = (code: string, url: string): string => {
  if (code === 'ECONNREFUSED') return `Nothing answers at ${url}.`;
  if (code === 'ENOTFOUND') return `The host name of ${url} is unknown.`;
  if (code === 'ECONNABORTED') return `${url} did not answer in time.`;
  if (code === 'EPROTO') return `${url} does not speak TLS. Its address may begin with http://.`;
  return `No response from ${url} (${code}).`;
};

const LOCAL_HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]']);
const USUAL_PORT = '3000';

/** Returns the command that starts a service at the address, if it is on this machine. */
const adviseStart = (url: string): string => {
  const { hostname, port, protocol } = new URL(url);
  if (!LOCAL_HOSTS.has(hostname) || protocol !== 'http:') {
    return 'Start the service on that machine, or name another one with --service or SERVICE_URL.';
  }
  const portVariable = port === USUAL_PORT ? '' : `PORT=${port === '' ? '80' : port} `;
  const command = `${createDataDirPrefix(readDataDir(process.env))}${portVariable}npm start`;
  return `Start the service in another terminal, or name another one with --service:  ${command}\nIf it is being started there, wait until npm start prints its address: the first start builds it.`;
};
