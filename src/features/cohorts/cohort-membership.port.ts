/** Which cohorts a subscriber is in, as the read model has it. */
export abstract class CohortMembership {
  abstract of(subscriberId: string): Promise<readonly string[]>;
}
