import { type Dated, unreachable } from '../../kernel/decider';
import { DomainError, notFound } from '../../kernel/errors';
import type { Actor } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type { SubscriberFact } from './subscriber.events';

export interface KnownProfile {
  readonly status: 'known';
  readonly email: string | null;
  readonly externalId: string | null;
  readonly registeredAt: Instant;
  /** First time that the subscriber was trialing or active. */
  readonly activatedAt: Instant | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, string | null>>;
  /** Score from 0 to 100, as last observed by the tenant (D-53). */
  readonly engagement: Engagement | null;
  readonly testClock: string | null;
}

export interface Engagement {
  readonly score: number;
  readonly observedAt: Instant;
}

/** The identity part of the subscriber's stream, which every other slice needs. */
export type Profile =
  | { readonly status: 'absent' }
  | KnownProfile
  | (Omit<KnownProfile, 'status'> & {
      /** An erased subscriber leaves a tombstone. A removed one leaves nothing that can be read. */
      readonly status: 'erased' | 'removed';
      readonly erasedAt: Instant;
    });

export const ABSENT_PROFILE: Profile = { status: 'absent' };

export const evolveProfile = (profile: Profile, fact: Dated<SubscriberFact>): Profile => {
  switch (fact.type) {
    case 'subscriber.created':
      return {
        status: 'known',
        email: fact.data.email,
        externalId: fact.data.external_id,
        registeredAt: fact.at,
        activatedAt: null,
        tags: fact.data.tags,
        metadata: fact.data.metadata,
        engagement: null,
        testClock: fact.data.test_clock,
      };
    case 'subscriber.updated':
      if (profile.status !== 'known') return profile;
      return {
        ...profile,
        email: fact.data.email === undefined ? profile.email : fact.data.email,
        tags: fact.data.tags ?? profile.tags,
        metadata: fact.data.metadata ?? profile.metadata,
        engagement:
          fact.data.engagement_score === undefined
            ? profile.engagement
            : {
                score: fact.data.engagement_score,
                observedAt: fact.data.observed_at ?? fact.at,
              },
      };
    case 'subscriber.erased':
      if (profile.status === 'absent') return profile;
      return {
        ...profile,
        status: fact.data.removed === true ? 'removed' : 'erased',
        email: null,
        tags: [],
        metadata: {},
        engagement: null,
        erasedAt: fact.data.erased_at,
      };
    default:
      return unreachable(fact);
  }
};

/** Notes the start of a subscription. Only the first one counts as the activation. */
export const addActivation = (profile: Profile, at: Instant): Profile =>
  profile.status !== 'known' || profile.activatedAt !== null
    ? profile
    : { ...profile, activatedAt: at };

/** Refuses a request about an erased subscriber or their objects (D-114). */
export const requireNotErased = (profile: Profile, param: string): void => {
  if (profile.status === 'erased') throw erasedError(param);
};

/** Returns the profile of a subscriber who exists and was not erased, or throws. */
export const requireKnown = (profile: Profile, param: string): KnownProfile => {
  switch (profile.status) {
    case 'known':
      return profile;
    case 'erased':
      throw erasedError(param);
    case 'absent':
    case 'removed':
      throw notFound('subscriber', param);
  }
};

const erasedError = (param: string): DomainError =>
  new DomainError('subscriber_erased', 'The subscriber was erased.', { param });

/** True if a record can be shown. The record of an erased subscriber is the tombstone. */
export const hasRecord = ({ status }: Profile): boolean =>
  status === 'known' || status === 'erased';

export interface Registration {
  readonly email: string;
  readonly externalId: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly testClock: string | null;
  readonly actor: Actor;
}

/** Registers the subscriber once. A repeat decides nothing. */
export const registerSubscriber =
  (registration: Registration) =>
  ({ profile }: { readonly profile: Profile }): SubscriberFact[] => {
    if (profile.status !== 'absent') return [];
    return [
      {
        type: 'subscriber.created',
        data: {
          email: registration.email,
          external_id: registration.externalId,
          tags: [...registration.tags],
          metadata: { ...registration.metadata },
          test_clock: registration.testClock,
          actor: registration.actor,
        },
      },
    ];
  };

const METADATA_KEYS_MAX = 50;
const TAGS_MAX = 50;

/** Changes requested by a caller. Absent fields keep their value (D-50). */
export interface ProfileChange {
  readonly email?: string;
  /** Replaces all tags. `tagsAdd` and `tagsRemove` change some of them. */
  readonly tags?: readonly string[];
  readonly tagsAdd?: readonly string[];
  readonly tagsRemove?: readonly string[];
  /** Merged into the present metadata. A null value deletes its key. */
  readonly metadata?: Readonly<Record<string, string | null>>;
}

type Updated = Extract<SubscriberFact, { type: 'subscriber.updated' }>['data'];

/** Changes the profile. `previous` holds only the changed fields. */
export const updateSubscriber =
  (change: ProfileChange, actor: Actor) =>
  ({ profile }: { readonly profile: Profile }): SubscriberFact[] => {
    const known = requireKnown(profile, 'subscriberId');
    const tags = changeTags(known.tags, change);
    const metadata = changeMetadata(known.metadata, change.metadata ?? {});
    const email = change.email === known.email ? undefined : change.email;
    if (tags === null && metadata === null && email === undefined) return [];
    const data: Updated = {
      previous: {
        ...(email === undefined ? {} : { email: known.email }),
        ...(tags === null ? {} : { tags: [...known.tags] }),
        ...(metadata === null ? {} : { metadata: { ...known.metadata } }),
      },
      ...(email === undefined ? {} : { email }),
      ...(tags === null ? {} : { tags }),
      ...(metadata === null ? {} : { metadata }),
      actor,
    };
    return [{ type: 'subscriber.updated', data }];
  };

/** Returns the changed tags in the order of their arrival, or null if nothing changes. */
const changeTags = (before: readonly string[], change: ProfileChange): string[] | null => {
  const removed = new Set(change.tagsRemove);
  const wanted = [...(change.tags ?? before), ...(change.tagsAdd ?? [])];
  const after = [...new Set(wanted)].filter((tag) => !removed.has(tag));
  if (after.length > TAGS_MAX) throw tooManyError('tags_add', `${TAGS_MAX} tags`);
  return after.length === before.length && after.every((tag, i) => tag === before[i])
    ? null
    : after;
};

const changeMetadata = (
  before: Readonly<Record<string, string | null>>,
  change: Readonly<Record<string, string | null>>,
): Record<string, string | null> | null => {
  const entries = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null);
  const after = Object.fromEntries(entries);
  if (entries.length > METADATA_KEYS_MAX)
    throw tooManyError('metadata', `${METADATA_KEYS_MAX} keys`);
  const keys = Object.keys({ ...before, ...after });
  return keys.every((key) => before[key] === after[key]) ? null : after;
};

const tooManyError = (param: string, limit: string): DomainError =>
  new DomainError('parameter_invalid', `${param} would give the subscriber more than ${limit}.`, {
    param,
  });

export interface EngagementReport {
  readonly score: number;
  /** Null means now. */
  readonly observedAt: Instant | null;
}

/**
 * Records the tenant's score. A score observed before the last one is ignored (D-53). Another score
 * of the same instant is a correction and replaces the last one. An instant in the future is
 * refused, because it would make every later score be ignored until then.
 */
export const observeEngagement =
  ({ score, observedAt: given }: EngagementReport, now: Instant, actor: Actor) =>
  ({ profile }: { readonly profile: Profile }): SubscriberFact[] => {
    const { engagement } = requireKnown(profile, 'subscriberId');
    const observedAt = given ?? now;
    if (observedAt > now) {
      throw new DomainError('parameter_invalid', 'observed_at must not be in the future.', {
        param: 'observed_at',
      });
    }
    if (engagement !== null && engagement.observedAt > observedAt) return [];
    if (engagement?.observedAt === observedAt && engagement.score === score) return [];
    const previous =
      engagement?.score === score ? {} : { engagement_score: engagement?.score ?? null };
    return [
      {
        type: 'subscriber.updated',
        data: { previous, engagement_score: score, observed_at: observedAt, actor },
      },
    ];
  };

/**
 * Erases the person once (D-114). The sealed data becomes unreadable with the deletion of its key.
 */
export const eraseSubscriber =
  (at: Instant, actor: Actor, param = 'subscriberId') =>
  ({ profile }: { readonly profile: Profile }): SubscriberFact[] => {
    if (profile.status === 'erased') return [];
    requireKnown(profile, param);
    return [{ type: 'subscriber.erased', data: { erased_at: at, actor } }];
  };

/** Removes a test clock's subscriber and all their objects once, whether erased before or not. */
export const removeSubscriber =
  (at: Instant, actor: Actor) =>
  ({ profile }: { readonly profile: Profile }): SubscriberFact[] => {
    if (profile.status === 'removed') return [];
    const erasedAt = profile.status === 'erased' ? profile.erasedAt : at;
    if (profile.status !== 'erased') requireKnown(profile, 'subscriberId');
    return [{ type: 'subscriber.erased', data: { erased_at: erasedAt, removed: true, actor } }];
  };
