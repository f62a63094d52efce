import { AUDIT_RECORDED, type AuditRecord } from '../../event-store/audit-trail';
import type { StoredEvent } from '../../event-store/stored-event';
import { fromMillis, type Instant } from '../../kernel/time';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import { ENVIRONMENTS } from '../../kernel/scope';

/**
 * The rows of the audit log. The events of one command share a row, and the first event determines
 * the row's action and object. An erasure has a row of its own.
 */
const auditTable: Table = {
  name: 'audit_log',
  key: ['scope', 'id'],
  keepsFirst: ['action', 'object_type', 'object_id', 'created_at'],
  perishable: true,
};

type AuditedObject = AuditRecord['object'];

/**
 * Projects the actions that `GET /v1/audit_log` lists: every append with a known caller, and
 * `audit.recorded` for actions that append nothing else, such as a sign-in.
 */
export class AuditProjection extends Projection {
  readonly name = 'audit_log';
  readonly tables = [auditTable];

  project(event: StoredEvent, changes: RowChanges): void {
    const { origin } = event.metadata;
    if (origin === undefined || origin.by.type === 'system') return;
    if (event.type !== AUDIT_RECORDED && isByProduct(event)) return;
    const object = findObject(event);
    if (object === null) return;
    const item = {
      id: createItemId(event),
      created_at: getTimeOfCall(event),
      actor_type: origin.by.type,
      actor_id: origin.by.id,
      actor_name: origin.by.name,
      action: event.type === AUDIT_RECORDED ? event.data['action'] : event.type,
      object_type: object.type,
      object_id: object.id,
      request_id: origin.request_id ?? null,
      address: origin.address ?? null,
    };
    for (const [index, scope] of findScopes(event, object).entries()) {
      const is_copy = index > 0;
      changes.upsert(auditTable, { scope, tenant_id: scope.split('.')[0], is_copy, ...item });
    }
  }
}

/** True if the request is shown by another of its events. */
const isByProduct = ({ type, metadata: { origin } }: StoredEvent): boolean => {
  const shownBy = origin?.shown_by;
  return shownBy?.every((shown) => !isOfType(type, shown)) === true;
};

const isOfType = (type: string, shown: string): boolean =>
  shown.endsWith('.*') ? type.startsWith(shown.slice(0, -1)) : type === shown;

/**
 * Returns the id of the item, which is derived from the command. An erasure has an id of its own:
 * its command first cancels the subscriptions, so otherwise the item would be named after the
 * cancellation.
 */
const createItemId = ({ type, metadata: { command } }: StoredEvent): string =>
  type === 'subscriber.erased' ? `aud_${command}_erasure` : `aud_${command}`;

/** Categories whose streams are named after one object. Events of other categories are internal. */
const NAMED_CATEGORIES = new Set([
  'tenant',
  'api_key',
  'operator_token',
  'destination',
  'plan',
  'cohort',
  'motion',
  'replay',
  'import',
  'clock',
  'member',
]);

/**
 * Returns the object that the action changes. Returns null for events that a command stores as
 * by-products, such as a reserved place, a claimed external id or a sealed data key.
 */
const findObject = (event: StoredEvent): AuditedObject | null => {
  if (event.type === AUDIT_RECORDED) return event.data['object'] as unknown as AuditedObject;
  if (event.owner !== null) return toOwnedObject(event, event.owner.subscriberId);
  const { stream, type, data } = event;
  if (type === 'delivery.retry_requested') return { type: 'event', id: data['event_id'] as string };
  const end = stream.indexOf('-');
  const category = stream.slice(0, end);
  const name = stream.slice(end + 1);
  if (!NAMED_CATEGORIES.has(category)) return null;
  // The stream of a plan is `plan-<tenant>.<environment>.<id>`.
  return { type: category, id: category === 'plan' ? name.split('.').slice(2).join('.') : name };
};

/**
 * Returns the payment, ticket or other part that the event carries, else its subscription or its
 * subscriber.
 */
const toOwnedObject = (
  { type, data, metadata }: StoredEvent,
  subscriberId: string,
): AuditedObject => {
  const family = type.slice(0, type.indexOf('.'));
  const part = data[family] as { readonly id?: unknown } | null | undefined;
  if (typeof part?.id === 'string') return { type: family, id: part.id };
  if (type === 'payment.disputed') return { type: family, id: data['payment_id'] as string };
  const { subscription_id: subscription } = metadata;
  if (family === 'subscription' && subscription !== undefined) {
    return { type: family, id: subscription };
  }
  return { type: 'subscriber', id: subscriberId };
};

const NO_TENANT = '';

/**
 * Returns the scopes in which the action is shown. An action on the tenant itself, such as a change of
 * its settings, members or keys, is shown to the keys of both environments.
 */
const findScopes = (
  { owner, stream, data, metadata }: StoredEvent,
  { type }: AuditedObject,
): string[] => {
  if (owner !== null) return [owner.scopeName];
  const { within = findTenant(stream) } = metadata.origin ?? {};
  if (within === NO_TENANT || within.includes('.')) return [within];
  const { environment } = data;
  const isOfOneEnvironment =
    type !== 'api_key' && (environment === 'test' || environment === 'live');
  const environments = isOfOneEnvironment ? [environment] : ENVIRONMENTS;
  return environments.map((each) => `${within}.${each}`);
};

const findTenant = (stream: string): string =>
  stream.startsWith('tenant-') ? stream.slice('tenant-'.length) : NO_TENANT;

/**
 * Returns the time of the call. The time of an event is simulated under a test clock, so the time of
 * its storing is used then. Other events keep their own time, also in a copy of the store.
 */
const getTimeOfCall = ({ metadata, storedAtMs }: StoredEvent): Instant =>
  typeof metadata.subscriber?.['test_clock'] === 'string' ? fromMillis(storedAtMs) : metadata.at;
