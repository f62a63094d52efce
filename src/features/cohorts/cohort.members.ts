import type { Scope } from '../../kernel/scope';
import type { Database } from '../../read-models/database';
import { CohortMembers } from '../replays/cohort-members.port';
import { CohortMembership } from './cohort-membership.port';
import type { CohortDirectory } from './cohort.directory';

/** Memberships as the read model has them. */
export class SqlCohortMembership extends CohortMembership {
  constructor(private readonly database: Database) {
    super();
  }

  async of(subscriberId: string): Promise<readonly string[]> {
    const rows = await this.database.query<{ cohort_id: string }>({
      name: 'cohorts of a subscriber',
      text: 'select cohort_id from cohort_members where subscriber_id = $1',
      values: [subscriberId],
    });
    return rows.map(({ cohort_id }) => cohort_id);
  }
}

/** For replays: membership at the moment of asking (D-100). */
export class SqlCohortMembers extends CohortMembers {
  constructor(
    private readonly database: Database,
    private readonly directory: CohortDirectory,
  ) {
    super();
  }

  async of(scope: Scope, cohortId: string): Promise<readonly string[] | null> {
    if (!this.directory.of(scope).some(({ id }) => id === cohortId)) return null;
    const rows = await this.database.query<{ subscriber_id: string }>({
      name: 'subscribers of a cohort',
      text: 'select subscriber_id from cohort_members where cohort_id = $1',
      values: [cohortId],
    });
    return rows.map(({ subscriber_id }) => subscriber_id);
  }
}
