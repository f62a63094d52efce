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
  /** Grows with each change of the definition; 1 = as created. */
  readonly definitionVersion: number;
  /** Whether everyone who matched at the creation is a member. */
  readonly backfilled: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type Cohort = { readonly status: 'absent' } | { readonly status: 'deleted' } | KnownCohort;

export const cohortAggregate: Decider<Cohort, CohortFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (cohort, fact) => {
    if (fact.type === 'cohort.created') return created(fact);
    if (cohort.status !== 'known') return cohort;
    switch (fact.type) {
      case 'cohort.updated':
        return updated(cohort, fact);
      case 'cohort.backfill_completed':
        return { ...cohort, backfilled: true };
      case 'cohort.deleted':
        return { status: 'deleted' };
      default:
        return unreachable(fact);
    }
  },
};

type Of<Type extends CohortFact['type']> = Dated<Extract<CohortFact, { type: Type }>>;

const created = ({ data, at }: Of<'cohort.created'>): KnownCohort => ({
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

const updated = (cohort: KnownCohort, { data, at }: Of<'cohort.updated'>): KnownCohort => ({
  ...cohort,
  ...data,
  definitionVersion: cohort.definitionVersion + (same(cohort.definition, data.definition) ? 0 : 1),
  updatedAt: at,
});

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

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
    return same(before, after) ? [] : [{ type: 'cohort.updated', data: after }];
  };

export const completeBackfill =
  (members: number) =>
  (cohort: Cohort): CohortFact[] =>
    cohort.status === 'known' && !cohort.backfilled
      ? [{ type: 'cohort.backfill_completed', data: { members } }]
      : [];

/** `usedBy`: motions that are not archived and target the cohort. */
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

/** The cohort of this tenant and environment, or `resource_not_found`. */
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

/** Cohorts the subscriber's own stream has spoken about: true = entered last, false = exited last. */
export type Memberships = Readonly<Record<string, boolean>>;

export const noMemberships: Memberships = {};

export const evolveMemberships = (
  memberships: Memberships,
  { type, data }: Dated<CohortMoveFact>,
): Memberships => ({ ...memberships, [data.cohort_id]: type === 'cohort.entered' });

export interface Move {
  readonly cohort: Pick<KnownCohort, 'id' | 'name'>;
  /** Whether the subscriber matches the definition now. */
  readonly matches: boolean;
  /** Whether the read model has the subscriber as a member: by a backfill, where no event says so. */
  readonly listed: boolean;
  readonly reason: MoveReason;
}

/** Enters or exits; nothing where that already holds, so a move may be decided again at will. */
export const move =
  ({ cohort, matches, listed, reason }: Move) =>
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

/** A stream of chunks has no state; a chunk that was stored twice changes nothing. */
export const backfillAggregate: Decider<null, CohortBackfillFact> = {
  initialState: () => null,
  evolve: () => null,
};
