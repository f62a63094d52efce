import { type Scope, scopeName } from '../kernel/scope';

/**
 * All stream names. EventStoreDB takes the text before the first `-` as the category, so a tenant's
 * category holds exactly the events that may be delivered, and everything else has its own.
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
  /** What is known of a person who may sign in to the console. */
  member: (personId: string): Stream => ({ name: `member-${personId}` }),
  operatorToken: (tokenId: string): Stream => ({ name: `operator_token-${tokenId}` }),
  destination: (destinationId: string): Stream => ({ name: `destination-${destinationId}` }),
  /** Who just took a place among the destinations of a tenant's environment. */
  destinationPlaces: (scope: Scope): Stream => ({
    name: `destination_places-${scopeName(scope)}`,
  }),
  plan: (scope: Scope, planId: string): Stream => ({ name: `plan-${scopeName(scope)}.${planId}` }),
  cohort: (cohortId: string): Stream => ({ name: `cohort-${cohortId}` }),
  cohortBackfill: (cohortId: string): Stream => ({ name: `cohort_backfill-${cohortId}` }),
  motion: (motionId: string): Stream => ({ name: `motion-${motionId}` }),
  /** Claims a name that must be unique; `digest` keeps what the tenant wrote out of stream names. */
  claim: (scope: Scope, digest: string): Stream => ({
    name: `claim-${scopeName(scope)}.${digest}`,
  }),
  replay: (replayId: string): Stream => ({ name: `replay-${replayId}` }),
  /** The subscribers a replay's cohorts had at its acceptance. */
  replayMembers: (replayId: string): Stream => ({ name: `replay_members-${replayId}` }),
  /** Which replays hold the places of a tenant's environment. */
  replayPlaces: (scope: Scope): Stream => ({ name: `replay_places-${scopeName(scope)}` }),
  import: (importId: string): Stream => ({ name: `import-${importId}` }),
  /** What was uploaded, sealed; deleted with its key as soon as it is worked off. */
  importLines: (importId: string): Stream => ({ name: `import_lines-${importId}` }),
  clock: (clockId: string): Stream => ({ name: `clock-${clockId}` }),
  /** Which master key the log is written with. */
  masterKey: (): Stream => ({ name: 'master_key-mark' }),
  /** Which version of the service wrote the log last, and its data format. */
  dataFormat: (): Stream => ({ name: 'data_format-mark' }),
  /** What appends nothing else but must be accounted for, by tenant. */
  audit: (within: string): Stream => ({ name: `audit-${within}` }),
  vault: (subscriberId: string): Stream => ({ name: `vault-${subscriberId}` }),
  journal: (destinationId: string): Stream => ({ name: `delivery-${destinationId}` }),
  /** Who was told of an operational event. */
  alert: (eventId: string): Stream => ({ name: `alert-${eventId}` }),
  retryRequests: (destinationId: string): Stream => ({
    name: `delivery_request-${destinationId}`,
  }),
};

/** The category stream that holds links to every subscriber's events of a tenant's environment. */
export const categoryStream = (category: string): string => `$ce-${category}`;
export const deliverable = (scope: Scope): string => categoryStream(scopeName(scope));

const SUBSCRIBER_STREAM = /^(tnt_[^.-]+)\.(live|test)-(subscriber_.+)$/;

/** Whose stream it is. */
export interface StreamOwner {
  readonly scope: Scope;
  /** `<tenant>.<environment>` */
  readonly scopeName: string;
  readonly subscriberId: string;
}

/** What a subscriber's stream name says, or null for any other stream. */
export const ownerOfStream = (name: string): StreamOwner | null => {
  const [, tenantId, environment, subscriberId] = SUBSCRIBER_STREAM.exec(name) ?? [];
  if (tenantId === undefined || subscriberId === undefined) return null;
  const scope: Scope = { tenantId, environment: environment === 'live' ? 'live' : 'test' };
  return { scope, scopeName: scopeName(scope), subscriberId };
};
