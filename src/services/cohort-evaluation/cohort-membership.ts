import type { Scope } from '../../kernel/scope';

/** Which cohorts a subscriber is in, as the read model has it. */
export abstract class CohortMembership {
  abstract of(scope: Scope, subscriberId: string): Promise<readonly string[]>;
}
