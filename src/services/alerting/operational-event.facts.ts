import type { StoredEvent } from '../../event-store/stored-event';
import type { JsonObject } from '../../kernel/json';
import type { Scope } from '../../kernel/scope';

/**
 * Types of operational events. They are not about one subscriber, so they have no envelope (D-60).
 */
export const OPERATIONAL_TYPES = [
  'destination.failing',
  'destination.disabled',
  'destination.enabled',
  'replay.completed',
] as const;

/** An event about the work of the service that a tenant should know about. */
export interface OperationalFact {
  readonly id: string;
  readonly type: (typeof OPERATIONAL_TYPES)[number];
  readonly scope: Scope;
  readonly at: StoredEvent['metadata']['at'];
  readonly data: JsonObject;
}

/**
 * Converts an event of a listed type whose `data` names `tenant_id` and `environment`; null for
 * others. The rest of `data` is published unchanged.
 */
export const toOperationalFact = ({
  id,
  type,
  data,
  metadata,
}: StoredEvent): OperationalFact | null => {
  const known = OPERATIONAL_TYPES.find((each) => each === type);
  const { tenant_id: tenantId, environment, head: _, resumed_at: __, ...shown } = data;
  if (known === undefined || typeof tenantId !== 'string') return null;
  const scope = { tenantId, environment: environment === 'live' ? 'live' : 'test' } as const;
  return { id, type: known, scope, at: metadata.at, data: shown };
};
