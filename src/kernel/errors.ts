import { suggestNames } from './nearest';

/**
 * All refusals of the service, by their public code (D-81). The HTTP status of each code is in
 * `http/pipeline/error-table.ts`, and only there.
 */
export type ErrorCode =
  | 'parameter_missing'
  | 'parameter_invalid'
  | 'parameter_unknown'
  | 'invalid_json'
  | 'request_malformed'
  | 'invalid_cursor'
  | 'cursor_conflict'
  | 'limit_out_of_range'
  | 'invalid_replay_window'
  | 'idempotency_key_invalid'
  | 'url_not_https'
  | 'url_not_allowed'
  | 'template_invalid'
  | 'api_key_missing'
  | 'api_key_invalid'
  | 'api_key_expired'
  | 'api_key_revoked'
  | 'session_invalid'
  | 'sign_in_failed'
  | 'payment_failed'
  | 'insufficient_scope'
  | 'ip_not_allowed'
  | 'cross_site_request'
  | 'https_needed'
  | 'role_not_allowed'
  | 'tenant_suspended'
  | 'refund_limit_exceeded'
  | 'test_helpers_live_forbidden'
  | 'resource_not_found'
  | 'route_not_found'
  | 'invalid_state_transition'
  | 'payment_past_due'
  | 'motion_not_active'
  | 'ticket_closed'
  | 'replay_not_cancellable'
  | 'destination_deleted'
  | 'destination_disabled'
  | 'cohort_in_use'
  | 'subscriber_erased'
  | 'external_id_in_use'
  | 'already_member'
  | 'last_owner'
  | 'link_spent'
  | 'invitation_spent'
  | 'role_name_in_use'
  | 'version_conflict'
  | 'idempotency_key_in_use'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'headers_too_large'
  | 'request_timeout'
  | 'method_not_allowed'
  | 'idempotency_key_reused'
  | 'subscriber_not_eligible'
  | 'refund_amount_exceeds_remaining'
  | 'currency_mismatch'
  | 'destination_not_replayable'
  | 'destination_limit_reached'
  | 'metric_too_large'
  | 'quota_exceeded'
  | 'daily_quota_exceeded'
  | 'analysts_need_postgresql'
  | 'event_types_not_subscribed'
  | 'rate_limited'
  | 'too_many_concurrent_replays'
  | 'too_many_concurrent_requests'
  | 'service_unavailable'
  | 'internal_error';

export interface FieldError {
  readonly param: string;
  readonly code: ErrorCode;
  readonly message: string;
}

interface ErrorFacts {
  /**
   * The field, path parameter, query parameter or header at fault, as the caller wrote it
   * (`items[0].amount`).
   */
  readonly param?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
  /** True if an object was searched by its id, which may exist in the other environment. */
  readonly wasSearched?: boolean;
}

/** A refusal. The caller sees the message, so it must contain no secret and no personal data. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly facts: ErrorFacts = {},
  ) {
    super(message);
  }
}

/**
 * The refusal of an id that nothing has. `param` is the path parameter, query parameter or field of
 * the body that named the id, as the API reference writes it.
 */
export const notFound = (resource: string, param: string, hint = ''): DomainError =>
  createNotFound(resource, { param, hint, wasSearched: hint === '' });

/** The end of the message about an object that was created after the moment that was asked for. */
export const describeTooEarly = (at: string): string => ` It did not exist at ${at}.`;

/** The refusal of a name that is none of a fixed list. Its message helps to find the right one. */
export const unknownName = (
  resource: string,
  param: string,
  { name, known }: { readonly name: string; readonly known: readonly string[] },
): DomainError => {
  const hint = suggestNames(name, known, { kind: nameForPeople(resource) });
  return createNotFound(resource, { param, hint, wasSearched: false });
};

const createNotFound = (
  resource: string,
  { hint, ...facts }: { param: string; hint: string; wasSearched: boolean },
): DomainError =>
  new DomainError('resource_not_found', `No such ${nameForPeople(resource)}.${hint}`, {
    ...facts,
    details: { resource },
  });

const nameForPeople = (resource: string): string => resource.replaceAll('_', ' ');
