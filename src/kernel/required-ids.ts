import { notFound } from './errors';
import {
  findOwner,
  type FreePrefix,
  isFreeId,
  isSubscriberId,
  type OwnedPrefix,
  toEventUuid,
} from './ids';

/**
 * Refusals of ids by their form, before anything is looked up. An id of another kind is a frequent
 * mistake, so the message says how ids of the right kind begin.
 */

const RESOURCES = {
  sub: 'subscription',
  pay: 'payment',
  rfd: 'refund',
  crd: 'credit',
  tkt: 'ticket',
  mtr: 'motion_run',
  clock: 'test_clock',
  rep: 'replay',
  tnt: 'tenant',
  dest: 'destination',
  cohort: 'cohort',
  mot: 'motion',
} as const satisfies Partial<Record<OwnedPrefix | FreePrefix, string>>;

const OWN_ID_HINT = '; GET /v1/subscribers?external_id= finds one by your own id';

/** Returns the subscriber to whom an object belongs, or refuses a text that is no id of that kind. */
export const requireOwner = (prefix: OwnedPrefix, id: string, param: string): string => {
  const owner = findOwner(prefix, id);
  if (owner === null) throw wrongKindError(RESOURCES[prefix], { prefix, param, id });
  return owner;
};

/** Refuses a text that cannot be the id of an object with a stream of its own. */
export const requireFreeId = (
  prefix: FreePrefix & keyof typeof RESOURCES,
  id: string,
  param: string,
): void => {
  if (!isFreeId(prefix, id)) throw wrongKindError(RESOURCES[prefix], { prefix, param, id });
};

/** Refuses an id that begins like one of another kind. */
export const requirePrefix = (prefix: keyof typeof RESOURCES, id: string, param: string): void => {
  if (!id.startsWith(`${prefix}_`)) throw wrongKindError(RESOURCES[prefix], { prefix, param });
};

/** Refuses a text that cannot be the id of an event. */
export const requireEventId = (id: string, param: string): void => {
  if (toEventUuid(id) === null) throw wrongKindError('event', { prefix: 'evt', param, id });
};

/**
 * Refuses a text that cannot be the id of a subscriber. It is often the tenant's own id, so the
 * message says how to find the subscriber by that.
 */
export const requireSubscriberId = (id: string, param: string): void => {
  if (isSubscriberId(id)) return;
  throw wrongKindError('subscriber', { prefix: 'subscriber', param, hint: OWN_ID_HINT });
};

/** True if a filter of this name refuses ids of another kind. */
export const isIdFilter = (name: string): name is keyof typeof ID_FILTERS => name in ID_FILTERS;

/** The filters of lists that hold an id, and the kind of the id. */
const ID_FILTERS = {
  subscriber_id: { resource: 'subscriber', prefix: 'subscriber', hint: OWN_ID_HINT },
  subscription_id: { resource: RESOURCES.sub, prefix: 'sub' },
  payment_id: { resource: RESOURCES.pay, prefix: 'pay' },
} as const;

/**
 * Refuses a filter whose value is an id of another kind. It could match nothing, and an empty list
 * would hide the mistake. An unknown id of the right kind matches nothing, and the list is empty.
 */
export const requireFilterId = (param: string, value: unknown): void => {
  if (typeof value !== 'string' || !isIdFilter(param)) return;
  const { resource, ...kind } = ID_FILTERS[param];
  if (!value.startsWith(`${kind.prefix}_`)) throw wrongKindError(resource, { ...kind, param });
};

interface WrongId {
  readonly prefix: string;
  readonly param: string;
  /** The refused text, where it may be an id of the right kind that was not copied whole. */
  readonly id?: string;
  readonly hint?: string;
}

const wrongKindError = (resource: string, { prefix, param, id, hint = '' }: WrongId): Error => {
  const name = resource.replaceAll('_', ' ');
  if (id?.startsWith(`${prefix}_`) === true) {
    return notFound(resource, param, ` This is not a complete id of a ${name}.`);
  }
  const plural = `${name}s`;
  return notFound(resource, param, ` Ids of ${plural} begin with ${prefix}_${hint}.`);
};
