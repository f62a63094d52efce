import { type Dated, type Decider, unreachable } from '../../kernel/decider';
import { DomainError, notFound } from '../../kernel/errors';
import type { Scope } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import type {
  CohortBackfillFact,
  CohortDefinition,
  CohortFact,
  CohortMoveFact,
  MoveReason,
} from './cohort.events';

export interface KnownCohort {
  readonly status: 'known';
  readonly id: string;
  readonly scope: Scope;
  readonly name: string;
  readonly description: string | null;
  readonly definition: CohortDefinition;
  /** Number of the definition. It is 1 at creation and grows with each change of the definition. */
  readonly definitionVersion: number;
  /** True once every subscriber who matched at creation is a member. */
  readonly backfilled: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type Cohort = { readonly status: 'absent' } | { readonly status: 'deleted' } | KnownCohort;

export const cohortAggregate: Decider<Cohort, CohortFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (cohort, fact) => {
    if (fact.type === 'cohort.created') return applyCreated(fact);
    if (cohort.status !== 'known') return cohort;
    switch (fact.type) {
      case 'cohort.updated':
        return applyUpdated(cohort, fact);
      case 'cohort.backfill_completed':
        return { ...cohort, backfilled: true };
      case 'cohort.deleted':
        return { status: 'deleted' };
      default:
        return unreachable(fact);
    }
  },
};

type DatedFact<Type extends CohortFact['type']> = Dated<Extract<CohortFact, { type: Type }>>;

const applyCreated = ({ data, at }: DatedFact<'cohort.created'>): KnownCohort => ({
  status: 'known',
  id: data.id,
  scope: { tenantId: data.tenant_id, environment: data.environment },
  name: data.name,
  description: data.description,
  definition: data.definition,
  definitionVersion: 1,
  backfilled: false,
  createdAt: at,
  updatedAt: at,
});

const applyUpdated = (
  cohort: KnownCohort,
  { data, at }: DatedFact<'cohort.updated'>,
): KnownCohort => ({
  ...cohort,
  ...data,
  definitionVersion:
    cohort.definitionVersion + (isSame(cohort.definition, data.definition) ? 0 : 1),
  updatedAt: at,
});

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export interface CohortDraft {
  readonly id: string;
  readonly scope: Scope;
  readonly name: string;
  readonly description: string | null;
  readonly definition: CohortDefinition;
}

export const createCohort =
  ({ scope, ...draft }: CohortDraft) =>
  (cohort: Cohort): CohortFact[] => {
    if (cohort.status !== 'absent') return [];
    checkDefinition(draft.definition);
    const { tenantId: tenant_id, environment } = scope;
    return [{ type: 'cohort.created', data: { ...draft, tenant_id, environment } }];
  };

export interface CohortChange {
  readonly name?: string;
  readonly description?: string | null;
  /** Replaces the whole definition. */
  readonly definition?: CohortDefinition;
}

export const changeCohort =
  (scope: Scope, change: CohortChange) =>
  (cohort: Cohort): CohortFact[] => {
    const { name, description, definition } = requireCohort(cohort, scope);
    const before = { name, description, definition };
    const after = { ...before, ...change };
    checkDefinition(after.definition);
    return isSame(before, after) ? [] : [{ type: 'cohort.updated', data: after }];
  };

export const completeBackfill =
  (members: number) =>
  (cohort: Cohort): CohortFact[] =>
    cohort.status === 'known' && !cohort.backfilled
      ? [{ type: 'cohort.backfill_completed', data: { members } }]
      : [];

/** Deletes a cohort. `usedBy` lists the motions that target it and are not archived. */
export const deleteCohort =
  (scope: Scope, usedBy: readonly string[], now: Instant) =>
  (cohort: Cohort): CohortFact[] => {
    requireCohort(cohort, scope);
    if (usedBy.length > 0) {
      throw new DomainError('cohort_in_use', 'A motion targets the cohort; archive it first.', {
        details: { motions: usedBy },
      });
    }
    return [{ type: 'cohort.deleted', data: { deleted_at: now } }];
  };

/** Returns the cohort of this tenant and environment, or throws `resource_not_found`. */
export const requireCohort = (
  cohort: Cohort | undefined,
  scope: Scope,
  param = 'cohortId',
): KnownCohort => {
  const mine =
    cohort?.status === 'known' &&
    cohort.scope.tenantId === scope.tenantId &&
    cohort.scope.environment === scope.environment;
  if (!mine) throw notFound('cohort', param);
  return cohort;
};

const checkDefinition = ({ tenure_days_min: min, tenure_days_max: max }: CohortDefinition) => {
  if (min === undefined || max === undefined || min <= max) return;
  throw new DomainError('parameter_invalid', 'tenure_days_min is above tenure_days_max.', {
    param: 'definition.tenure_days_min',
  });
};

/** The last move stated in the subscriber's stream by cohort id: true = entered, false = exited. */
export type Memberships = Readonly<Record<string, boolean>>;

export const noMemberships: Memberships = {};

export const evolveMemberships = (
  memberships: Memberships,
  { type, data }: Dated<CohortMoveFact>,
): Memberships => ({ ...memberships, [data.cohort_id]: type === 'cohort.entered' });

export interface MembershipChange {
  readonly cohort: Pick<KnownCohort, 'id' | 'name'>;
  /** True if the subscriber matches the definition now. */
  readonly matches: boolean;
  /** True if the read model lists the subscriber. A member by backfill has no event of its own. */
  readonly listed: boolean;
  readonly reason: MoveReason;
}

/**
 * States an entry or exit if the membership differs. If the same move was already stated, no event
 * is added.
 */
export const decideMembership =
  ({ cohort, matches, listed, reason }: MembershipChange) =>
  (memberships: Memberships): CohortMoveFact[] => {
    if ((memberships[cohort.id] ?? listed) === matches) return [];
    const data = {
      cohort_id: cohort.id,
      cohort_name: cohort.name,
      reason,
      actor: 'system',
    } as const;
    return [{ type: matches ? 'cohort.entered' : 'cohort.exited', data }];
  };

/** The stream of backfill chunks has no state. A chunk that was stored twice changes nothing. */
export const backfillAggregate: Decider<null, CohortBackfillFact> = {
  initialState: () => null,
  evolve: () => null,
};
