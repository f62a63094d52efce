import { DomainError, type ErrorCode, type FieldError } from '../../kernel/errors';
import { ERROR_TABLE } from './error-table';

/** The error body of D-80. */
export interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly code: ErrorCode;
    readonly message: string;
    readonly param: string | null;
    readonly details: Readonly<Record<string, unknown>>;
    readonly errors: readonly FieldError[];
    readonly doc_url: string;
    readonly request_id: string;
  };
}

export const createErrorBody = (
  { code, message, facts }: DomainError,
  requestId: string,
): ErrorBody => ({
  error: {
    type: ERROR_TABLE[code].type,
    code,
    message,
    param: facts.param ?? null,
    details: facts.details ?? {},
    errors: facts.errors ?? listOwnError(code, message, facts.param),
    doc_url: createDocUrl(code),
    request_id: requestId,
  },
});

/** Returns the one error of a refusal that names a field, so that clients need to read `errors` only. */
const listOwnError = (code: ErrorCode, message: string, param?: string): FieldError[] =>
  param === undefined ? [] : [{ param, code, message }];

/** Builds the same error as RFC 9457 `application/problem+json`. */
export const createProblemBody = ({ error }: ErrorBody): Record<string, unknown> => ({
  type: error.doc_url,
  title: ERROR_TABLE[error.code].when,
  status: ERROR_TABLE[error.code].status,
  detail: error.message,
  instance: error.request_id,
  code: error.code,
  param: error.param,
  details: error.details,
  errors: error.errors,
});

/**
 * Creates the link to the description of the error code. It is relative to the service's address.
 */
const createDocUrl = (code: ErrorCode): string => `/docs/errors#${code}`;
