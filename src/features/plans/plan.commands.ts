import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { Claims, type OwnerState } from '../../event-store/claims';
import { streams } from '../../event-store/streams';
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
    await this.quotas.requireRoom(context.scope, 'plans', draft.id);
    await this.claimExternalId(context, draft);
    const stream = streams.plan(context.scope, draft.id);
    const { state } = await this.aggregates.run(planAggregate, stream, context, (moment) =>
      savePlan(scopeName(context.scope), draft, moment.now)(moment.state),
    );
    if (state.status !== 'saved') throw new Error('a saved plan is missing in its own stream');
    return state;
  }

  private async claimExternalId(
    context: TenantContext,
    { id, externalId }: PlanDraft,
  ): Promise<void> {
    if (externalId === null) return;
    await this.claims.claim(context, {
      kind: 'plan',
      externalId,
      owner: id,
      findOwnerState: (owner) => this.findOwnerState(context.scope, owner, externalId),
    });
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
