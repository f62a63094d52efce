import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { type ClaimRequest, Claims } from '../../event-store/claims';
import { streams } from '../../event-store/streams';
import { DomainError, notFound } from '../../kernel/errors';
import { isSubscriberId, newOwnedId } from '../../kernel/ids';
import type { Scope, TenantContext } from '../../kernel/scope';
import { type Instant, plusDays } from '../../kernel/time';
import { collectAmount } from '../../domain/billing/collecting';
import type { SavedPlan } from '../../domain/plans/plan.decider';
import { requireKnown } from '../../domain/subscribers/subscriber.decider';
import { subscriberAggregate } from '../../domain/subscriber-stream/subscriber.aggregate';
import {
  Billing,
  type BillingResult,
  requireSubscriptionOwner,
  throwIfDeclined,
  type SubscriberDraft,
} from '../../services/billing/billing';
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
import { createPeriodLines } from '../../domain/billing/proration';
import { updatePaymentMethod } from '../../domain/billing/payment-outcome';
import {
  createActivated,
  type SubscriptionStart,
  createTrialStarted,
} from '../../domain/billing/starting';
import {
  computePeriod,
  requireSubscription,
  type Subscription,
} from '../../domain/billing/subscription';
import type { ProrationBehavior } from '../../domain/billing/subscription.events';
import type { BillingEffects } from '../../domain/billing/billing-effects';

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

const readWritten = ({ state, revision }: BillingResult, id: string): WrittenSubscription => ({
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

@CommandHandler(CreateSubscription)
export class CreateSubscriptionHandler implements ICommandHandler<CreateSubscription> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly claims: Claims,
    private readonly billing: Billing,
  ) {}

  async execute({ context, request }: CreateSubscription): Promise<WrittenSubscription> {
    if (!isSubscriberId(request.subscriberId)) throw notFound('subscriber', 'subscriber_id');
    const id = newOwnedId('sub', request.subscriberId, context.entropy);
    await this.requireSubscriber(context.scope, request.subscriberId);
    const plan = await this.billing.requirePlan(context.scope, request.plan, 'plan');
    const beginning: SubscriptionStart = {
      id,
      subscriberId: request.subscriberId,
      externalId: request.externalId,
      terms: plan.terms,
      method:
        request.paymentMethod === null
          ? null
          : this.billing.describeMethod(context.scope, request.paymentMethod),
      actor: context.actor,
    };
    const claim = this.createClaim(context.scope, beginning);
    if (claim !== null) await this.claims.claim(context, claim);
    try {
      const result = await this.billing.run(context, request.subscriberId, (draft, effects) =>
        startSubscription(draft, effects, {
          beginning,
          trialEnd: computeTrialEnd(request, plan, draft.now),
        }),
      );
      return readWritten(result, id);
    } catch (error) {
      // After a refusal such as a declined charge, the same external id with another card is a new
      // request.
      if (claim !== null && isRefusal(error)) await this.claims.release(context, claim);
      throw error;
    }
  }

  private async requireSubscriber(scope: Scope, subscriberId: string): Promise<void> {
    const stream = streams.subscriber(scope, subscriberId);
    const { state } = await this.aggregates.load(subscriberAggregate, stream);
    requireKnown(state.profile, 'subscriber_id');
  }

  private createClaim(scope: Scope, { id, externalId }: SubscriptionStart): ClaimRequest | null {
    if (externalId === null) return null;
    const checkOwner = (owner: string): Promise<boolean> => this.checkExists(scope, owner);
    return { kind: 'subscription', externalId, owner: id, ownerExists: checkOwner };
  }

  private async checkExists(scope: Scope, subscriptionId: string): Promise<boolean> {
    const stream = streams.subscriber(scope, requireSubscriptionOwner(subscriptionId));
    const { state } = await this.aggregates.load(subscriberAggregate, stream);
    return state.subscriptions[subscriptionId] !== undefined;
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && error.code !== 'service_unavailable';

/**
 * Starts a subscription with a trial, or active if the first charge did not fail. A declined charge
 * creates nothing.
 */
const startSubscription = async (
  draft: SubscriberDraft,
  effects: BillingEffects,
  { beginning, trialEnd }: { beginning: SubscriptionStart; trialEnd: Instant | null },
): Promise<void> => {
  requireKnown(draft.state.profile, 'subscriber_id');
  if (trialEnd !== null) {
    draft.add(...createTrialStarted(beginning, trialEnd));
    return;
  }
  const { terms } = beginning;
  const period = computePeriod(terms, draft.now);
  const { payment } = await collectAmount(draft, effects, {
    subscription: beginning,
    reason: 'subscription_start',
    terms,
    period,
    lines: createPeriodLines({ discounts: [], pendingLines: [] }, terms, period),
    ifDeclined: 'refuse',
  });
  draft.add(...createActivated(beginning, period, payment));
};

/** Returns the end of the requested trial, or else of the plan's own trial; null means no trial. */
const computeTrialEnd = (
  { trial }: NewSubscription,
  plan: SavedPlan,
  now: Instant,
): Instant | null => {
  if (trial !== null && 'end' in trial) {
    if (trial.end > now) return trial.end;
    throw new DomainError('parameter_invalid', 'trial_end must be in the future.', {
      param: 'trial_end',
    });
  }
  const days = trial?.days ?? plan.trialDays;
  return days === 0 ? null : plusDays(now, days);
};

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
    return readWritten(result, request.subscriptionId);
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
    return readWritten(result, request.subscriptionId);
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
    return readWritten(result, request.subscriptionId);
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
    return readWritten(result, subscriptionId);
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
    return readWritten(result, subscriptionId);
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
    return readWritten(result, request.subscriptionId);
  }
}

@CommandHandler(PreviewPlanChange)
export class PreviewPlanChangeHandler implements ICommandHandler<PreviewPlanChange> {
  constructor(private readonly billing: Billing) {}

  /** Decides on the subscriber's current state and appends nothing of the change itself. */
  async execute({ context: asked, request }: PreviewPlanChange): Promise<PlanPreview> {
    const previews: PlanPreview[] = [];
    // A repeat decides again, because an earlier run can only have appended facts that were due.
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
    return readWritten(result, subscriptionId);
  }
}
