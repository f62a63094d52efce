import type { Reason } from './exactness';

/** Operations that need more than a key, or that would end the run for the other operations. */
export const LEFT_OUT =
  / \/console\/|local_listeners|\/store|master_key|rebuilds|test_helpers\/seed|analysts|(DELETE|PATCH) \/operator\/v1\/tenants\/\{tenantId\}$/;

const ALL = /./;

/**
 * The rules that JSON Schema cannot express. The service accepts everything else that the document
 * allows.
 */
export const REASONS: readonly Reason[] = [
  {
    operation: /^GET /,
    code: 'invalid_cursor',
    param: /^(starting_after|ending_before)$/,
    why: 'A cursor is taken only by the list and the filters that gave it.',
  },
  {
    operation: ALL,
    code: 'parameter_invalid',
    param: /^(created_after|created_before|at|observed_at|from|to|frozen_time|occurred_at)$/,
    why: 'A schema cannot compare a moment with the clock, with another field or with the year 1.',
  },
  {
    operation: ALL,
    code: 'parameter_invalid',
    param: /^(expires_at|trial_end|resumes_at|proration_date)$/,
    why: 'The moment must be in the future, or of the running period, when the request arrives.',
  },
  {
    operation: /^POST \/v1\/replay$/,
    code: 'invalid_replay_window',
    param: /^(from|to)$/,
    why: 'The window must be in the last 24 months, and it must not be empty.',
  },
  {
    operation: /^GET \/v1\/(metrics|motions)\//,
    code: 'parameter_unknown',
    param: /^(currency|measure|by|destination_id|topic|plan|cohort_id|timezone)$/,
    why: 'The metric in the path decides which parameters are taken; parameters have schemas of their own.',
  },
  {
    operation: /^GET \/v1\/metrics\//,
    code: 'parameter_invalid',
    param: /^(window|timezone)$/,
    why: 'Parameters cannot exclude each other, and the time zones are those of the server.',
  },
  {
    operation:
      /^(POST \/v1\/subscriptions|PUT \/v1\/subscriptions\/\{subscriptionId\}\/payment_method)$/,
    code: 'parameter_invalid',
    param: /^payment_method$/,
    why: 'The environment of the key decides which payment methods are taken.',
  },
  {
    operation: /^PATCH \/v1\/subscribers\//,
    code: 'parameter_invalid',
    param: /^(tags|tags_add|metadata)$/,
    why: 'The limits hold for what the subscriber has after the change.',
  },
  {
    operation: / \/v1\/cohorts/,
    code: 'parameter_invalid',
    param: /tenure_days_(min|max)$/,
    why: 'A schema cannot compare two numbers of one object.',
  },
  {
    operation: /^POST \/v1\/test_helpers\/events$/,
    code: 'parameter_invalid',
    param: /^data/,
    why: 'The fields replace parts of the example of the type, and the whole must be valid.',
  },
  {
    operation: /destinations\/\{destinationId\}$/,
    code: 'parameter_invalid',
    param:
      /^(url|pii_mode|schema_version|trace_headers|email|reply_to_subscriber|subject_template|event_types)$/,
    why: 'The destination that is changed decides which fields it takes.',
  },
  {
    operation: /destinations$|dashboard_links$/,
    code: 'parameter_invalid',
    param: /^(url|return_url)$/,
    why: 'No pattern has all rules of a host and of a port.',
  },
  {
    operation: /destinations(\/\{destinationId\})?$/,
    code: 'url_not_https',
    param: /^url$/,
    why: 'The operator may allow http for development.',
  },
  {
    operation: /destinations(\/\{destinationId\})?$/,
    code: 'url_not_allowed',
    param: /^url$/,
    why: 'The addresses of a name are known only when it is looked up.',
  },
  {
    operation: /api-keys/,
    code: 'parameter_invalid',
    param: /^allowed_ips/,
    why: 'No pattern has all rules of an IPv6 address.',
  },
];
