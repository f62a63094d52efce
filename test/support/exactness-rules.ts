import type { Reason } from './exactness';

/** Operations that need more than a key, or that would end the run for the other operations. */
export const LEFT_OUT =
  / \/console\/|local_listeners|\/store|master_key|rebuilds|test_helpers\/seed|analysts|(DELETE|PATCH) \/operator\/v1\/tenants\/\{tenantId\}$/;

/**
 * The rules that JSON Schema cannot express. The service accepts everything else that the document
 * allows.
 */
export const REASONS: readonly Reason[] = [];
