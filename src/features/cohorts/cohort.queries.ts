import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { mapPage, readPage } from '../../http/lists/keyset';
import { readMemoryPage } from '../../http/lists/memory-page';
import type { Page } from '../../http/lists/pagination';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { MotionDirectory } from '../../directories/motion.directory';
import type { KnownCohort } from '../../domain/cohorts/cohort.decider';
import { CohortDirectory } from '../../directories/cohort.directory';
import {
  type CohortResource,
  type ListCohortsQuery,
  type ListMembersQuery,
  type MemberResource,
  viewCohort,
} from './cohort.dto';
import { CohortStore } from '../../services/cohort-evaluation/cohort.store';

export class GetCohort extends Query<CohortResource> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class ListCohorts extends Query<Page<CohortResource>> {
  constructor(
    readonly scope: Scope,
    readonly page: ListCohortsQuery,
  ) {
    super();
  }
}

export class ListMembers extends Query<Page<MemberResource>> {
  constructor(
    readonly scope: Scope,
    readonly cohortId: string,
    readonly page: ListMembersQuery,
  ) {
    super();
  }
}

/** Shows cohorts with the number of their members and the motions that target them. */
export class CohortViews {
  constructor(
    private readonly store: CohortStore,
    private readonly motions: MotionDirectory,
  ) {}

  async viewAll(cohorts: readonly KnownCohort[]): Promise<CohortResource[]> {
    const counts = await this.store.countMembers(cohorts.map(({ id }) => id));
    return cohorts.map((cohort) =>
      viewCohort(cohort, {
        memberCount: counts.get(cohort.id) ?? 0,
        motionIds: this.motions.findUsingCohort(cohort.scope, cohort.id),
      }),
    );
  }

  async view(cohort: KnownCohort): Promise<CohortResource> {
    const [view] = await this.viewAll([cohort]);
    if (view === undefined) throw new Error('a cohort without a view');
    return view;
  }
}

@QueryHandler(GetCohort)
export class GetCohortHandler implements IQueryHandler<GetCohort> {
  constructor(
    private readonly directory: CohortDirectory,
    private readonly views: CohortViews,
  ) {}

  execute({ scope, id }: GetCohort): Promise<CohortResource> {
    return this.views.view(this.directory.require(scope, id));
  }
}

@QueryHandler(ListCohorts)
export class ListCohortsHandler implements IQueryHandler<ListCohorts> {
  constructor(
    private readonly directory: CohortDirectory,
    private readonly views: CohortViews,
  ) {}

  async execute({ scope, page }: ListCohorts): Promise<Page<CohortResource>> {
    const found = await readMemoryPage(page, {
      name: 'cohorts',
      items: this.directory.listInScope(scope),
      filters: { scope: scopeName(scope) },
      keyOf: ({ createdAt, id }) => ({ createdAt, id }),
    });
    return { ...found, data: await this.views.viewAll(found.data) };
  }
}

interface MemberRow {
  readonly id: string;
  readonly created_at: Instant;
}

@QueryHandler(ListMembers)
export class ListMembersHandler implements IQueryHandler<ListMembers> {
  constructor(
    private readonly directory: CohortDirectory,
    private readonly database: Database,
  ) {}

  async execute({ scope, cohortId, page }: ListMembers): Promise<Page<MemberResource>> {
    const found = await readPage<MemberRow>(
      this.database,
      {
        from: `(select scope, cohort_id, subscriber_id as id, entered_at as created_at
          from cohort_members) members`,
        columns: 'id, created_at',
        scope: scopeName(scope),
        conditions: [['cohort_id = ?', cohortId]],
      },
      page,
    );
    // The cohort is checked after the page, so that a malformed request is always answered with
    // 400.
    this.directory.require(scope, cohortId);
    return mapPage(found, ({ id, created_at }) => ({
      subscriber_id: id,
      entered_at: created_at,
    }));
  }
}
