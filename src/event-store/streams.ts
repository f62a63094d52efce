import { type Scope, scopeName } from '../kernel/scope';

/**
 * All stream names. EventStoreDB uses the text before the first `-` as the category. The category
 * of a tenant's environment therefore contains exactly the events that may be delivered, and
 * everything else has other categories.
 */

/** A stream and, where its facts hold personal data, the subscriber whose data key seals them. */
export interface Stream {
  readonly name: string;
  readonly subscriberId?: string;
}

export const streams = {
  subscriber: (scope: Scope, subscriberId: string): Stream => ({
    name: `${scopeName(scope)}-${subscriberId}`,
    subscriberId,
  }),
  tenant: (tenantId: string): Stream => ({ name: `tenant-${tenantId}` }),
  apiKey: (keyId: string): Stream => ({ name: `api_key-${keyId}` }),
  /** Person who may sign in to the console. */
  member: (personId: string): Stream => ({ name: `member-${personId}` }),
  operatorToken: (tokenId: string): Stream => ({ name: `operator_token-${tokenId}` }),
  destination: (destinationId: string): Stream => ({ name: `destination-${destinationId}` }),
  /** Recent reservations of slots for destinations in a tenant's environment. */
  destinationPlaces: (scope: Scope): Stream => ({
    name: `destination_places-${scopeName(scope)}`,
  }),
  plan: (scope: Scope, planId: string): Stream => ({ name: `plan-${scopeName(scope)}.${planId}` }),
  cohort: (cohortId: string): Stream => ({ name: `cohort-${cohortId}` }),
  cohortBackfill: (cohortId: string): Stream => ({ name: `cohort_backfill-${cohortId}` }),
  motion: (motionId: string): Stream => ({ name: `motion-${motionId}` }),
  /** Reservation of a unique name. The digest keeps the tenant's text out of stream names. */
  claim: (scope: Scope, digest: string): Stream => ({
    name: `claim-${scopeName(scope)}.${digest}`,
  }),
  replay: (replayId: string): Stream => ({ name: `replay-${replayId}` }),
  /** Members of a replay's cohorts at its acceptance. */
  replayMembers: (replayId: string): Stream => ({ name: `replay_members-${replayId}` }),
  /** Reserved slots for concurrent replays in a tenant's environment. */
  replayPlaces: (scope: Scope): Stream => ({ name: `replay_places-${scopeName(scope)}` }),
  /** Recent reservations of a quota in a tenant's environment. */
  quotaReservations: (scope: Scope, quota: string): Stream => ({
    name: `quota_reservations-${scopeName(scope)}.${quota}`,
  }),
  import: (importId: string): Stream => ({ name: `import-${importId}` }),
  /** Uploaded lines, sealed. The stream is deleted with its key as soon as the import has ended. */
  importLines: (importId: string): Stream => ({ name: `import_lines-${importId}` }),
  clock: (clockId: string): Stream => ({ name: `clock-${clockId}` }),
  /** State of the master key. */
  masterKey: (): Stream => ({ name: 'master_key-mark' }),
  /** Data format of the log and the version of the service that set it. */
  dataFormat: (): Stream => ({ name: 'data_format-mark' }),
  /** Records of actions that append no other event, for the audit log of a tenant. */
  audit: (within: string): Stream => ({ name: `audit-${within}` }),
  vault: (subscriberId: string): Stream => ({ name: `vault-${subscriberId}` }),
  journal: (destinationId: string): Stream => ({ name: `delivery-${destinationId}` }),
  /** Recipients who were told of an operational event. */
  alert: (eventId: string): Stream => ({ name: `alert-${eventId}` }),
  retryRequests: (destinationId: string): Stream => ({
    name: `delivery_request-${destinationId}`,
  }),
};

/** Returns the name of a category stream, which contains links to all events of the category. */
export const categoryStream = (category: string): string => `$ce-${category}`;
export const deliverableStream = (scope: Scope): string => categoryStream(scopeName(scope));

const SUBSCRIBER_STREAM = /^(tnt_[^.-]+)\.(live|test)-(subscriber_.+)$/;

/** The subscriber to whom a stream belongs. */
export interface StreamOwner {
  readonly scope: Scope;
  /** Name of the scope: `<tenant>.<environment>`. */
  readonly scopeName: string;
  readonly subscriberId: string;
}

/** Parses the name of a subscriber's stream; null for any other stream. */
export const parseOwner = (name: string): StreamOwner | null => {
  const [, tenantId, environment, subscriberId] = SUBSCRIBER_STREAM.exec(name) ?? [];
  if (tenantId === undefined || subscriberId === undefined) return null;
  const scope: Scope = { tenantId, environment: environment === 'live' ? 'live' : 'test' };
  return { scope, scopeName: scopeName(scope), subscriberId };
};
