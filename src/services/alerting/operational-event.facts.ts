import type { StoredEvent } from '../../event-store/stored-event';
import type { JsonObject } from '../../kernel/json';
import type { Scope } from '../../kernel/scope';

/** Not about one subscriber, so they are no envelopes (decisions 1.8). */
export const OPERATIONAL_TYPES = [
  'destination.failing',
  'destination.disabled',
  'destination.enabled',
  'replay.completed',
] as const;

/** What tenants should know about the service's own work. */
export interface OperationalFact {
  readonly id: string;
  readonly type: (typeof OPERATIONAL_TYPES)[number];
  readonly scope: Scope;
  readonly at: StoredEvent['metadata']['at'];
  readonly data: JsonObject;
}

/**
 * An event of a listed type whose `data` names its `tenant_id` and `environment`, or null. The rest
 * of `data` is published as it is.
 */
export const operationalFact = ({
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
