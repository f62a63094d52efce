import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { type ClaimRequest, Claims, type OwnerState } from '../../event-store/claims';
import { streams } from '../../event-store/streams';
import type { ReservedObject } from '../../domain/quotas/quota-reservations.decider';
import { Quotas } from '../../services/quotas/quotas';
import { type Scope, scopeName, type TenantContext } from '../../kernel/scope';
import {
  planAggregate,
  type PlanDraft,
  savePlan,
  type SavedPlan,
} from '../../domain/plans/plan.decider';

export class SavePlan extends Command<SavedPlan> {
  constructor(
    readonly context: TenantContext,
    readonly draft: PlanDraft,
  ) {
    super();
  }
}

@CommandHandler(SavePlan)
export class SavePlanHandler implements ICommandHandler<SavePlan> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly claims: Claims,
    private readonly quotas: Quotas,
  ) {}

  async execute({ context, draft }: SavePlan): Promise<SavedPlan> {
    const claim = this.createClaim(context.scope, draft);
    if (claim !== null) await this.claims.claim(context, claim);
    try {
      await this.reservePlace(context, draft.id);
    } catch (error) {
      if (claim !== null) await this.claims.release(context, claim);
      throw error;
    }
    const stream = streams.plan(context.scope, draft.id);
    const { state } = await this.aggregates.run(planAggregate, stream, context, (moment) =>
      savePlan(scopeName(context.scope), draft, moment.now)(moment.state),
    );
    if (state.status !== 'saved') throw new Error('a saved plan is missing in its own stream');
    return state;
  }

  private createClaim(scope: Scope, { id, externalId }: PlanDraft): ClaimRequest | null {
    if (externalId === null) return null;
    return {
      kind: 'plan',
      externalId,
      owner: id,
      findOwnerState: (owner) => this.findOwnerState(scope, owner, externalId),
    };
  }

  private reservePlace(context: TenantContext, id: string): Promise<void> {
    const { scope } = context;
    return this.quotas.reserve(context, {
      quota: 'max_plans',
      id,
      count: (recent) => this.quotas.countRows(scope, 'plans', { id, recent }),
      loadObject: (planId) => this.loadReserved(scope, planId),
    });
  }

  private async loadReserved(scope: Scope, planId: string): Promise<ReservedObject> {
    const { state } = await this.aggregates.load(planAggregate, streams.plan(scope, planId));
    return state.status === 'saved' ? 'stored' : 'absent';
  }

  private async findOwnerState(
    scope: Scope,
    planId: string,
    externalId: string,
  ): Promise<OwnerState> {
    const { state } = await this.aggregates.load(planAggregate, streams.plan(scope, planId));
    return state.status === 'saved' && state.externalId === externalId ? 'exists' : 'absent';
  }
}
