import type { ErrorCode } from '../../kernel/errors';

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'payment_error'
  | 'permission_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'rate_limit_error'
  | 'api_error';

interface ErrorRow {
  readonly status: number;
  readonly type: ErrorType;
  /** The situation in which the error occurs, for the API reference. */
  readonly when: string;
}

const invalid = (when: string, status = 400): ErrorRow => ({
  status,
  type: 'invalid_request_error',
  when,
});
const unauthenticated = (when: string): ErrorRow => ({
  status: 401,
  type: 'authentication_error',
  when,
});
const forbidden = (when: string): ErrorRow => ({ status: 403, type: 'permission_error', when });
const missing = (when: string): ErrorRow => ({ status: 404, type: 'not_found_error', when });
const conflict = (when: string): ErrorRow => ({ status: 409, type: 'conflict_error', when });
const limited = (when: string): ErrorRow => ({ status: 429, type: 'rate_limit_error', when });

/** Every error the API can answer (D-81). The API reference is made from this table. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorRow>> = {
  parameter_missing: invalid('A required field is missing.'),
  parameter_invalid: invalid('A field has the wrong type or a value outside its range.'),
  parameter_unknown: invalid('A field is not known.'),
  invalid_json: invalid('The body is not valid JSON.'),
  request_malformed: invalid('The request is not well-formed HTTP/1.1.'),
  invalid_cursor: invalid('A cursor is damaged, of another list, or of other filters.'),
  cursor_conflict: invalid('starting_after and ending_before were both given.'),
  limit_out_of_range: invalid('limit is not from 1 to 100.'),
  invalid_replay_window: invalid(
    'The replay window is empty, in the future or older than 24 months.',
  ),
  idempotency_key_invalid: invalid('The Idempotency-Key is not 1 to 255 printable characters.'),
  url_not_https: invalid('A destination URL must start with https://.'),
  url_not_allowed: invalid('The destination URL points to an address that is not allowed.'),
  template_invalid: invalid('The subject template has unbalanced braces or an unknown root.'),
  api_key_missing: unauthenticated('There is no Authorization header with a bearer key.'),
  api_key_invalid: unauthenticated('The key is not known, or the credential is of another kind.'),
  api_key_expired: unauthenticated('The key has expired.'),
  api_key_revoked: unauthenticated('The key was revoked.'),
  session_invalid: unauthenticated('There is no session, or it has ended. Sign in again.'),
  sign_in_failed: unauthenticated('The e-mail address or the password is wrong.'),
  payment_failed: {
    status: 402,
    type: 'payment_error',
    when: 'The payment was declined; details say how.',
  },
  insufficient_scope: forbidden(
    'The key lacks the scope named in details.required_scope; `root` is the token that the service was started with.',
  ),
  ip_not_allowed: forbidden('The key may not be used from this address.'),
  cross_site_request: forbidden('A change with the cookie of a session came from another site.'),
  https_needed: forbidden(
    'Signing in needs HTTPS, unless the browser runs on the machine of the service.',
  ),
  role_not_allowed: forbidden('The role of the member does not allow this.'),
  tenant_suspended: forbidden('The operator of the service has suspended the tenant.'),
  refund_limit_exceeded: forbidden('More of a payment would be refunded than the role allows.'),
  test_helpers_live_forbidden: forbidden('Test helpers work with test keys only.'),
  resource_not_found: missing('There is no such object in this tenant and environment.'),
  route_not_found: missing('There is no such path. The message names a similar one.'),
  method_not_allowed: invalid(
    'The path exists, but not with this method. The message names the methods.',
    405,
  ),
  invalid_state_transition: conflict('The object is in a state that does not allow this.'),
  payment_past_due: conflict('The subscription has an unpaid amount.'),
  motion_not_active: conflict('The motion is not active.'),
  ticket_closed: conflict('The ticket is closed for good.'),
  replay_not_cancellable: conflict('The replay has already ended.'),
  destination_deleted: conflict('The destination was deleted.'),
  destination_disabled: conflict('The destination is disabled.'),
  cohort_in_use: conflict('A motion uses the cohort.'),
  subscriber_erased: conflict('The subscriber was erased.'),
  external_id_in_use: conflict('Another object has this external_id.'),
  already_member: conflict('The person is a member of the tenant already.'),
  last_owner: conflict('A tenant keeps at least one owner.'),
  role_name_in_use: conflict('The PostgreSQL server has such a role, which is no analyst.'),
  version_conflict: conflict(
    'The object has changed since the version named in If-Match, or has no version.',
  ),
  idempotency_key_in_use: conflict('A request with this Idempotency-Key is still running.'),
  link_spent: invalid('The one-time link was used before, or is too old.', 410),
  invitation_spent: invalid('The invitation was used, revoked, or is too old.', 410),
  payload_too_large: invalid('The body is larger than allowed.', 413),
  headers_too_large: invalid('The headers are larger than 16 KiB.', 431),
  request_timeout: invalid(
    'The headers did not arrive within 15 seconds, the body within 30 seconds, or an upload is slower than 1 KiB a second.',
    408,
  ),
  unsupported_media_type: invalid(
    'The body is not of the media type that the operation takes, or is compressed.',
    415,
  ),
  idempotency_key_reused: invalid('The Idempotency-Key was used for a different request.', 422),
  subscriber_not_eligible: invalid('The subscriber is not eligible; details.reason says why.', 422),
  refund_amount_exceeds_remaining: invalid('More than what is left of the payment.', 422),
  currency_mismatch: invalid('The currencies differ.', 422),
  destination_not_replayable: invalid('Events cannot be replayed to this destination.', 422),
  metric_too_large: invalid(
    'Too many events would have to be counted to cut the metric by plan, cohort or time zone, or its window has too many points.',
    422,
  ),
  quota_exceeded: invalid(
    'The environment has as many of these as the settings of the tenant allow; details.quota names the setting.',
    422,
  ),
  daily_quota_exceeded: limited(
    'More than the settings of the tenant allow within 24 hours; details.quota names the setting.',
  ),
  analysts_need_postgresql: invalid('The service runs on its embedded SQL database.', 422),
  destination_limit_reached: invalid('The environment has as many destinations as allowed.', 422),
  event_types_not_subscribed: invalid('The destination receives none of the event types.', 422),
  rate_limited: limited('Too many requests; repeat after Retry-After seconds.'),
  too_many_concurrent_replays: limited(
    'Three replays are queued or in progress; repeat after Retry-After seconds, or cancel one.',
  ),
  too_many_concurrent_requests: limited('Too many requests of this key are running.'),
  service_unavailable: {
    status: 503,
    type: 'api_error',
    when: 'A store does not answer or its disk is full, or the service is shutting down; repeat the request with the same Idempotency-Key.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    when: 'A fault of the service; the request id finds it in the log.',
  },
};
