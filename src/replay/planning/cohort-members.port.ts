import type { Scope } from '../../kernel/scope';

/** Who is in a cohort, for `cohort_ids` of a replay (D-100). Implemented by the cohorts feature. */
export abstract class CohortMembers {
  /** Ids of the subscribers that are members now; null where the scope has no such cohort. */
  abstract of(scope: Scope, cohortId: string): Promise<readonly string[] | null>;
}
