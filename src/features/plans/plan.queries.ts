import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { streams } from '../../event-store/streams';
import { createPeriodConditions, mapPage, readPage } from '../../http/lists/keyset';
import type { Page } from '../../http/lists/pagination';
import { notFound } from '../../kernel/errors';
import { type Scope, scopeName } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { planAggregate, type SavedPlan } from '../../domain/plans/plan.decider';
import type { ListPlansQuery, PlanResource } from './plan.dto';

/** The form of a plan id, which the tenant chooses. */
export const PLAN_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

export class GetPlan extends Query<SavedPlan> {
  constructor(
    readonly scope: Scope,
    readonly id: string,
  ) {
    super();
  }
}

export class ListPlans extends Query<Page<PlanResource>> {
  constructor(
    readonly scope: Scope,
    readonly filters: ListPlansQuery,
  ) {
    super();
  }
}

@QueryHandler(GetPlan)
export class GetPlanHandler implements IQueryHandler<GetPlan> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ scope, id }: GetPlan): Promise<SavedPlan> {
    if (!PLAN_ID.test(id)) throw notFound('plan', 'planId');
    const { state } = await this.aggregates.load(planAggregate, streams.plan(scope, id));
    if (state.status === 'absent') throw notFound('plan', 'planId');
    return state;
  }
}

@QueryHandler(ListPlans)
export class ListPlansHandler implements IQueryHandler<ListPlans> {
  constructor(private readonly database: Database) {}

  async execute({ scope, filters }: ListPlans): Promise<Page<PlanResource>> {
    const page = await readPage<{ id: string; created_at: Instant; resource: PlanResource }>(
      this.database,
      {
        from: 'plans',
        columns: 'id, created_at, resource',
        scope: scopeName(scope),
        conditions: [...createPeriodConditions(filters)],
      },
      filters,
    );
    return mapPage(page, ({ resource }) => resource);
  }
}
