import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '../../event-store/aggregates';
import { type ClaimRequest, Claims, type OwnerState } from '../../event-store/claims';
import { streams } from '../../event-store/streams';
import { DomainError } from '../../kernel/errors';
import { newOwnedId } from '../../kernel/ids';
import type { Scope } from '../../kernel/scope';
import { type Instant, plusDays } from '../../kernel/time';
import { requireSubscriberId } from '../../kernel/required-ids';
import { collectAmount } from '../../domain/billing/collecting';
import type { SavedPlan } from '../../domain/plans/plan.decider';
import { requireKnown } from '../../domain/subscribers/subscriber.decider';
import {
  getSubscriptionState,
  subscriberAggregate,
} from '../../domain/subscriber-stream/subscriber.aggregate';
import {
  Billing,
  requireSubscriptionOwner,
  type SubscriberDraft,
} from '../../services/billing/billing';
import { createPeriodLines } from '../../domain/billing/proration';
import {
  createActivated,
  type SubscriptionStart,
  createTrialStarted,
} from '../../domain/billing/starting';
import { computePeriod } from '../../domain/billing/subscription';
import type { BillingEffects } from '../../domain/billing/billing-effects';
import {
  CreateSubscription,
  type NewSubscription,
  toWritten,
  type WrittenSubscription,
} from './subscription.commands';

@CommandHandler(CreateSubscription)
export class CreateSubscriptionHandler implements ICommandHandler<CreateSubscription> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly claims: Claims,
    private readonly billing: Billing,
  ) {}

  async execute({ context, request }: CreateSubscription): Promise<WrittenSubscription> {
    requireSubscriberId(request.subscriberId, 'subscriber_id');
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
      return toWritten(result, id);
    } catch (error) {
      // A refusal such as a declined charge creates nothing, so the external id can be used again,
      // for example with another card.
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
    const findOwnerState = (owner: string): Promise<OwnerState> =>
      this.findOwnerState(scope, owner);
    return { kind: 'subscription', externalId, owner: id, findOwnerState };
  }

  private async findOwnerState(scope: Scope, subscriptionId: string): Promise<OwnerState> {
    const stream = streams.subscriber(scope, requireSubscriptionOwner(subscriptionId));
    const { state } = await this.aggregates.load(subscriberAggregate, stream);
    return getSubscriptionState(state, subscriptionId);
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && error.code !== 'service_unavailable';

/**
 * Starts a subscription, in a trial if there is one. Otherwise it is active as soon as the first
 * charge succeeds or is pending. A declined charge creates nothing.
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

/**
 * Returns the end of the requested trial, or of the plan's trial if the request names none. Null
 * means no trial.
 */
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
