import type { Scope } from '../../kernel/scope';

/**
 * The members of cohorts, for `cohort_ids` of a replay (D-100). The cohort directory implements it.
 */
export abstract class CohortMembers {
  /** Returns the ids of the current members; null if the scope has no such cohort. */
  abstract findMembers(scope: Scope, cohortId: string): Promise<readonly string[] | null>;
}
