import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantContext } from '../../kernel/scope';
import { type Instant } from '../../kernel/time';
import { Billing, type BillingResult, throwIfDeclined } from '../../services/billing/billing';
import {
  cancelSubscription,
  type CancelRequest,
  reactivateSubscription,
  removeCancellation,
} from '../../domain/billing/ending';
import {
  pauseSubscription,
  type PauseRequest,
  resumeSubscription,
  type ResumeRequest,
} from '../../domain/billing/pausing';
import { changePlan, type PlanQuote, quotePlanChange } from '../../domain/billing/plan-change';
import { updatePaymentMethod } from '../../domain/billing/payment-outcome';
import { requireSubscription, type Subscription } from '../../domain/billing/subscription';
import type { ProrationBehavior } from '../../domain/billing/subscription.events';

export interface NewSubscription {
  readonly subscriberId: string;
  readonly plan: string;
  readonly trial: { readonly days: number } | { readonly end: Instant } | null;
  readonly paymentMethod: string | null;
  readonly externalId: string | null;
}

/** A subscription after a command, with the sequence of its subscriber. */
export interface WrittenSubscription {
  readonly subscription: Subscription;
  readonly sequence: number;
}

export const toWritten = ({ state, revision }: BillingResult, id: string): WrittenSubscription => ({
  subscription: requireSubscription(state, id),
  sequence: revision + 1,
});

export class CreateSubscription extends Command<WrittenSubscription> {
  constructor(
    readonly context: TenantContext,
    readonly request: NewSubscription,
  ) {
    super();
  }
}

export class PauseSubscription extends Command<WrittenSubscription> {
  constructor(
    readonly context: TenantContext,
    readonly request: PauseRequest,
  ) {
    super();
  }
}

export class ResumeSubscription extends Command<WrittenSubscription> {
  constructor(
    readonly context: TenantContext,
    readonly request: ResumeRequest,
  ) {
    super();
  }
}

export class CancelSubscription extends Command<WrittenSubscription> {
  constructor(
    readonly context: TenantContext,
    readonly request: CancelRequest,
  ) {
    super();
  }
}

export class UncancelSubscription extends Command<WrittenSubscription> {
  constructor(
    readonly context: TenantContext,
    readonly subscriptionId: string,
  ) {
    super();
  }
}

export class ReactivateSubscription extends Command<WrittenSubscription> {
  constructor(
    readonly context: TenantContext,
    readonly subscriptionId: string,
  ) {
    super();
  }
}

export interface PlanChangeRequest {
  readonly subscriptionId: string;
  readonly toPlan: string;
  readonly behavior: ProrationBehavior;
  readonly prorationDate: Instant | null;
}

export class ChangePlan extends Command<WrittenSubscription> {
  constructor(
    readonly context: TenantContext,
    readonly request: PlanChangeRequest,
  ) {
    super();
  }
}

export interface PlanPreview {
  readonly subscription: Subscription;
  /** Null if the subscription already has the plan. */
  readonly quote: PlanQuote | null;
  readonly at: Instant;
}

export class PreviewPlanChange extends Command<PlanPreview> {
  constructor(
    readonly context: TenantContext,
    readonly request: PlanChangeRequest,
  ) {
    super();
  }
}

export class UpdatePaymentMethod extends Command<WrittenSubscription> {
  constructor(
    readonly context: TenantContext,
    readonly subscriptionId: string,
    readonly paymentMethod: string,
  ) {
    super();
  }
}

@CommandHandler(PauseSubscription)
export class PauseSubscriptionHandler implements ICommandHandler<PauseSubscription> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, request }: PauseSubscription): Promise<WrittenSubscription> {
    const result = await this.billing.runForSubscription(
      context,
      request.subscriptionId,
      (draft, effects) => {
        pauseSubscription(draft, effects, request);
      },
    );
    return toWritten(result, request.subscriptionId);
  }
}

@CommandHandler(ResumeSubscription)
export class ResumeSubscriptionHandler implements ICommandHandler<ResumeSubscription> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, request }: ResumeSubscription): Promise<WrittenSubscription> {
    const result = await this.billing.runForSubscription(
      context,
      request.subscriptionId,
      async (draft, effects) => {
        await resumeSubscription(draft, effects, request);
      },
    );
    throwIfDeclined(result);
    return toWritten(result, request.subscriptionId);
  }
}

@CommandHandler(CancelSubscription)
export class CancelSubscriptionHandler implements ICommandHandler<CancelSubscription> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, request }: CancelSubscription): Promise<WrittenSubscription> {
    const result = await this.billing.runForSubscription(
      context,
      request.subscriptionId,
      (draft, effects) => {
        cancelSubscription(draft, effects, request);
      },
    );
    return toWritten(result, request.subscriptionId);
  }
}

@CommandHandler(UncancelSubscription)
export class UncancelSubscriptionHandler implements ICommandHandler<UncancelSubscription> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, subscriptionId }: UncancelSubscription): Promise<WrittenSubscription> {
    const result = await this.billing.runForSubscription(
      context,
      subscriptionId,
      (draft, effects) => {
        removeCancellation(draft, effects, subscriptionId);
      },
    );
    return toWritten(result, subscriptionId);
  }
}

@CommandHandler(ReactivateSubscription)
export class ReactivateSubscriptionHandler implements ICommandHandler<ReactivateSubscription> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, subscriptionId }: ReactivateSubscription): Promise<WrittenSubscription> {
    const result = await this.billing.runForSubscription(
      context,
      subscriptionId,
      async (draft, effects) => {
        const { terms } = requireSubscription(draft.state, subscriptionId);
        const newest = await effects.newestTerms(terms.plan);
        await reactivateSubscription(draft, effects, { subscriptionId, terms: newest });
      },
    );
    throwIfDeclined(result);
    return toWritten(result, subscriptionId);
  }
}

@CommandHandler(ChangePlan)
export class ChangePlanHandler implements ICommandHandler<ChangePlan> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, request }: ChangePlan): Promise<WrittenSubscription> {
    const result = await this.billing.runForSubscription(
      context,
      request.subscriptionId,
      async (draft, effects) => {
        const { terms } = await this.billing.requirePlan(context.scope, request.toPlan, 'to_plan');
        await changePlan(draft, effects, { ...request, terms });
      },
    );
    return toWritten(result, request.subscriptionId);
  }
}

@CommandHandler(PreviewPlanChange)
export class PreviewPlanChangeHandler implements ICommandHandler<PreviewPlanChange> {
  constructor(private readonly billing: Billing) {}

  /**
   * Computes the plan change on the subscriber's current state and does not append it. Facts that
   * are due anyway, such as a renewal, are appended.
   */
  async execute({ context: asked, request }: PreviewPlanChange): Promise<PlanPreview> {
    const previews: PlanPreview[] = [];
    // A repeated request computes the preview again. Its earlier run may have appended facts that
    // were due, and they contain no preview.
    const context = { ...asked, resumed: false };
    await this.billing.runForSubscription(context, request.subscriptionId, async (draft) => {
      const subscription = requireSubscription(draft.state, request.subscriptionId);
      const { terms } = await this.billing.requirePlan(context.scope, request.toPlan, 'to_plan');
      const quote = quotePlanChange(draft.state, { ...request, terms }, draft.now);
      previews.push({ subscription, quote, at: draft.now });
    });
    const preview = previews.at(-1);
    if (preview === undefined) throw new Error('the plan change was not previewed');
    return preview;
  }
}

@CommandHandler(UpdatePaymentMethod)
export class UpdatePaymentMethodHandler implements ICommandHandler<UpdatePaymentMethod> {
  constructor(private readonly billing: Billing) {}

  async execute({
    context,
    subscriptionId,
    paymentMethod,
  }: UpdatePaymentMethod): Promise<WrittenSubscription> {
    const method = this.billing.describeMethod(context.scope, paymentMethod);
    const result = await this.billing.runForSubscription(
      context,
      subscriptionId,
      (draft, effects) => updatePaymentMethod(draft, effects, { subscriptionId, method }),
    );
    return toWritten(result, subscriptionId);
  }
}
