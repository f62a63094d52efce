import { earlier, type Instant, plusDays } from '../../kernel/time';
import type { Profile } from '../subscribers/subscriber.decider';
import { findPrimary } from '../billing/primary';
import type { Subscriptions } from '../billing/subscription';
import type { KnownCohort } from './cohort.decider';
import type { CohortDefinition } from './cohort.events';

/** The fields of a subscriber's record that a definition checks (D-50, D-52). */
export interface CohortSubject {
  /** Status and plan of the primary subscription. Null without one. */
  readonly status: string | null;
  readonly plan: string | null;
  readonly tags: readonly string[];
  readonly engagementScore: number | null;
  readonly createdAt: Instant;
}

interface SubjectState {
  readonly profile: Profile;
  readonly subscriptions: Subscriptions;
}

/** Returns the fields to check, or null if the subscriber does not exist or is gone. */
export const toSubject = ({ profile, subscriptions }: SubjectState): CohortSubject | null => {
  if (profile.status !== 'known') return null;
  const primary = findPrimary(subscriptions);
  return {
    status: primary?.status ?? null,
    plan: primary?.terms.plan ?? null,
    tags: profile.tags,
    engagementScore: profile.engagement?.score ?? null,
    createdAt: profile.registeredAt,
  };
};

/**
 * Returns the id of the first cohort whose definition the subscriber matches at `now`, or null. The
 * membership itself follows a moment later, as an event of its own (D-54).
 */
export const findFirstMatching = (
  cohorts: readonly Pick<KnownCohort, 'id' | 'definition'>[],
  state: SubjectState,
  now: Instant,
): string | null => {
  const subject = toSubject(state);
  if (subject === null) return null;
  return cohorts.find(({ definition }) => matchesDefinition(definition, subject, now))?.id ?? null;
};

/** True if the subscriber matches the definition at `now`. `createMatchSql` is the same rule in SQL. */
export const matchesDefinition = (
  definition: CohortDefinition,
  subject: CohortSubject,
  now: Instant,
): boolean =>
  isAllowed(definition.status, subject.status) &&
  isAllowed(definition.plan_ids, subject.plan) &&
  includesTags(definition, subject.tags) &&
  !(definition.tags_exclude ?? []).some((tag) => subject.tags.includes(tag)) &&
  reachesScore(definition.engagement_score_min, subject.engagementScore) &&
  fitsTenure(definition, subject.createdAt, now);

/** True if time alone changed the membership since the last event (D-54, `tenure`). */
export const wasMovedByTime = (
  definition: CohortDefinition,
  subject: CohortSubject,
  { since, now }: { readonly since: Instant; readonly now: Instant },
): boolean =>
  matchesDefinition(definition, subject, since) !== matchesDefinition(definition, subject, now);

const isAllowed = (allowed: readonly string[] | undefined, value: string | null): boolean =>
  isUnset(allowed) || (value !== null && allowed.includes(value));

const isUnset = (list: readonly string[] | undefined): list is undefined =>
  list === undefined || list.length === 0;

const includesTags = (
  { tags_include: wanted, tags_match }: CohortDefinition,
  tags: readonly string[],
): boolean => {
  if (isUnset(wanted)) return true;
  const has = (tag: string): boolean => tags.includes(tag);
  return tags_match === 'all' ? wanted.every(has) : wanted.some(has);
};

const reachesScore = (min: number | undefined, score: number | null): boolean =>
  min === undefined || (score !== null && score >= min);

/** `tenure_days = floor((now − created_at) / 86400 s)`. Both bounds are inclusive. */
const fitsTenure = (definition: CohortDefinition, createdAt: Instant, now: Instant): boolean => {
  const { notAfter, after } = computeTenureBounds(definition, now);
  return (notAfter === null || createdAt <= notAfter) && (after === null || createdAt > after);
};

interface TenureBounds {
  /** Latest registration time that matches, inclusive. Null means no bound. */
  readonly notAfter: Instant | null;
  /** Registration times must be later than this instant. Null means no bound. */
  readonly after: Instant | null;
}

const computeTenureBounds = (
  { tenure_days_min: min, tenure_days_max: max }: CohortDefinition,
  now: Instant,
): TenureBounds => ({
  notAfter: min === undefined ? null : plusDays(now, -Math.ceil(min)),
  after: max === undefined ? null : plusDays(now, -Math.floor(max) - 1),
});

export const usesTenure = ({
  tenure_days_min: min,
  tenure_days_max: max,
}: CohortDefinition): boolean => min !== undefined || max !== undefined;

/**
 * Returns the ranges of registration times whose subscribers crossed a tenure boundary after
 * `since` and up to `now`. The lower end of a range is exclusive and the upper end inclusive.
 */
export const listCrossedTenures = (
  definition: CohortDefinition,
  since: Instant,
  now: Instant,
): (readonly [Instant, Instant])[] => {
  const before = computeTenureBounds(definition, since);
  const after = computeTenureBounds(definition, now);
  const pairs = [
    [before.notAfter, after.notAfter],
    [before.after, after.after],
  ] as const;
  return pairs.flatMap(([from, to]) => (from === null || to === null ? [] : [[from, to] as const]));
};

/** Returns the first instant after `now` at which tenure alone may change the membership. */
export const findNextTenureBoundary = (
  { tenure_days_min: min, tenure_days_max: max }: CohortDefinition,
  createdAt: Instant,
  now: Instant,
): Instant | null => {
  const boundaries = [
    ...(min === undefined ? [] : [plusDays(createdAt, Math.ceil(min))]),
    ...(max === undefined ? [] : [plusDays(createdAt, Math.floor(max) + 1)]),
  ].filter((boundary) => boundary > now);
  return boundaries.length === 0 ? null : boundaries.reduce(earlier);
};

/** A condition on the columns of `cohort_subjects`. Its parameters are numbered from `first`. */
export interface SqlCondition {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Returns the rule of `matchesDefinition` as a condition for whole tables. */
export const createMatchSql = (
  definition: CohortDefinition,
  now: Instant,
  first: number,
): SqlCondition => {
  const values: unknown[] = [];
  const addParameter = (value: unknown): string => `$${first + values.push(value) - 1}`;
  const parts = ['not erased'];
  const { notAfter, after } = computeTenureBounds(definition, now);
  if (!isUnset(definition.status)) parts.push(`status = any(${addParameter(definition.status)})`);
  if (!isUnset(definition.plan_ids)) parts.push(`plan = any(${addParameter(definition.plan_ids)})`);
  if (!isUnset(definition.tags_include)) {
    const operator = definition.tags_match === 'all' ? '@>' : '&&';
    parts.push(`tags ${operator} ${addParameter(definition.tags_include)}::text[]`);
  }
  if (!isUnset(definition.tags_exclude)) {
    parts.push(`not tags && ${addParameter(definition.tags_exclude)}::text[]`);
  }
  if (definition.engagement_score_min !== undefined) {
    parts.push(`engagement_score >= ${addParameter(definition.engagement_score_min)}`);
  }
  // Under a test clock "now" differs, so those subscribers are decided one by one from their state.
  if (usesTenure(definition)) parts.push('test_clock is null');
  if (notAfter !== null) parts.push(`created_at <= ${addParameter(notAfter)}`);
  if (after !== null) parts.push(`created_at > ${addParameter(after)}`);
  return { text: parts.join(' and '), values };
};
