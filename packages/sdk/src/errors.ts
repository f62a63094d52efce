import type { ErrorCode, FieldError } from './generated/schema';

/** The facts of an error response, or of a call without a response. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: ErrorCode;
  /** The family of the code. */
  readonly type: string;
  readonly message: string;
  /** The name of the wrong field, parameter or header. */
  readonly param: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly errors: readonly FieldError[];
  readonly docUrl: string;
  /** The id of the request in the log of the service. Give it to support. */
  readonly requestId: string;
  /** Seconds to wait before the next attempt, if the service names them. */
  readonly retryAfterSeconds: number | null;
}

/** The service refused the call. Decide by `code`; `message` is for people. */
export class ServiceError extends Error implements ErrorFacts {
  declare readonly status: number;
  declare readonly code: ErrorCode;
  declare readonly type: string;
  declare readonly param: string | null;
  declare readonly details: Readonly<Record<string, unknown>>;
  declare readonly errors: readonly FieldError[];
  declare readonly docUrl: string;
  declare readonly requestId: string;
  declare readonly retryAfterSeconds: number | null;

  constructor(facts: ErrorFacts) {
    super(facts.message);
    Object.assign(this, facts);
    this.name = new.target.name;
  }
}

/** The request is wrong: 400, 405, 408, 410, 413, 415, 422 or 431. */
export class InvalidRequestError extends ServiceError {}
/** The API key is missing, unknown, expired or revoked: 401. */
export class AuthenticationError extends ServiceError {}
/** A payment was declined: 402. */
export class PaymentError extends ServiceError {}
/** The API key may not do this: 403. */
export class PermissionError extends ServiceError {}
/** There is no such object: 404. */
export class NotFoundError extends ServiceError {}
/** The object is in a state that does not allow the call: 409. */
export class ConflictError extends ServiceError {}
/** Too many calls: 429. `retryAfterSeconds` says when to call again. */
export class RateLimitError extends ServiceError {}
/** The service failed: 5xx. */
export class ServerError extends ServiceError {}

const CLASSES: Readonly<Record<string, typeof ServiceError>> = {
  invalid_request_error: InvalidRequestError,
  authentication_error: AuthenticationError,
  payment_error: PaymentError,
  permission_error: PermissionError,
  not_found_error: NotFoundError,
  conflict_error: ConflictError,
  rate_limit_error: RateLimitError,
  api_error: ServerError,
};

export const createServiceError = (facts: ErrorFacts): ServiceError =>
  new (CLASSES[facts.type] ?? ServiceError)(facts);

/** No attempt got a complete response, so it is unknown whether the call took effect. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
}

/** The service did not answer in time, at any attempt. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

/** A webhook that must not be trusted. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';

  constructor(
    /** What is wrong. A wrong `timestamp` is too old or too new; a wrong `id` is not the event's. */
    readonly reason: 'headers' | 'timestamp' | 'signature' | 'id',
    text: string,
  ) {
    super(`Webhook refused: ${text}.`);
  }
}
