import type { Scope } from '../../kernel/scope';

/** The cohorts of a subscriber according to the read model. */
export abstract class CohortMembership {
  abstract findCohorts(scope: Scope, subscriberId: string): Promise<readonly string[]>;
}
