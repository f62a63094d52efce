import type { Scope } from '../../kernel/scope';
import type { Database } from '../../read-models/database';
import { BatchLoader } from '../../read-models/batch-loader';
import { CohortMembers } from '../../replay/planning/cohort-members.port';
import { CohortMembership } from './cohort-membership';
import type { CohortDirectory } from '../../directories/cohort.directory';

/** Reads memberships from the read model. In an environment without cohorts it reads nothing. */
export class SqlCohortMembership extends CohortMembership {
  private readonly loader = new BatchLoader((ids: readonly string[]) => this.read(ids));

  constructor(
    private readonly database: Database,
    private readonly directory: CohortDirectory,
  ) {
    super();
  }

  async findCohorts(scope: Scope, subscriberId: string): Promise<readonly string[]> {
    return this.directory.hasAny(scope) ? this.loader.load(subscriberId) : [];
  }

  private async read(ids: readonly string[]): Promise<string[][]> {
    const rows = await this.database.query<{ cohort_id: string; subscriber_id: string }>({
      name: 'cohorts of subscribers',
      text: 'select cohort_id, subscriber_id from cohort_members where subscriber_id = any($1)',
      values: [ids],
    });
    const found = new Map(ids.map((id): [string, string[]] => [id, []]));
    for (const { cohort_id, subscriber_id } of rows) found.get(subscriber_id)?.push(cohort_id);
    return ids.map((id) => found.get(id) ?? []);
  }
}

/** Reads the members of a cohort for a replay, at the time of the call (D-100). */
export class SqlCohortMembers extends CohortMembers {
  constructor(
    private readonly database: Database,
    private readonly directory: CohortDirectory,
  ) {
    super();
  }

  async findMembers(scope: Scope, cohortId: string): Promise<readonly string[] | null> {
    if (!this.directory.listInScope(scope).some(({ id }) => id === cohortId)) return null;
    const rows = await this.database.query<{ subscriber_id: string }>({
      name: 'subscribers of a cohort',
      text: 'select subscriber_id from cohort_members where cohort_id = $1',
      values: [cohortId],
    });
    return rows.map(({ subscriber_id }) => subscriber_id);
  }
}
