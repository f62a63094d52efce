import type { StoredEvent } from '../../event-store/stored-event';
import type { Dated } from '../../kernel/decider';
import { Projection } from '../../projections/projection';
import type { RowChanges, Table } from '../../projections/rows';
import { planAggregate } from '../../domain/plans/plan.decider';
import { viewPlan } from './plan.dto';
import type { PlanFact } from '../../domain/plans/plan.events';

const plansTable: Table = { name: 'plans', key: ['scope', 'id'] };

export class PlanProjection extends Projection {
  readonly name = 'plans';
  readonly tables = [plansTable];

  project(event: StoredEvent, changes: RowChanges): void {
    if (event.type !== 'plan.saved') return;
    const fact = { ...event, at: event.metadata.at } as unknown as Dated<PlanFact>;
    // Each event contains the whole plan, so no earlier event is needed.
    const plan = planAggregate.evolve(planAggregate.initialState(), fact);
    if (plan.status !== 'saved') return;
    changes.upsert(plansTable, {
      scope: fact.data.scope,
      id: plan.terms.plan,
      created_at: plan.createdAt,
      resource: viewPlan(plan),
    });
  }
}
