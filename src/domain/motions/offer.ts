import { unreachable } from '../../kernel/decider';
import { requirePresent } from '../../kernel/present';
import type { Draft } from '../../kernel/draft';
import { DomainError, notFound } from '../../kernel/errors';
import { readAnchorDay, computePeriodEnd } from '../../kernel/period';
import { type Instant, later, plusDays } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import { grantCredit } from '../billing/credit.decider';
import type { PlanTerms } from '../plans/plan.events';
import type { PaymentEffects } from '../billing/collecting';
import type { BillingDraft } from '../billing/pausing';
import { removeCancellation } from '../billing/ending';
import { pauseSubscription } from '../billing/pausing';
import { changePlan, quotePlanChange } from '../billing/plan-change';
import { isRunning, findPrimary } from '../billing/primary';
import type { Subscription, Subscriptions } from '../billing/subscription';
import { canReduce } from '../billing/discount';
import type { Discount, SubscriptionFact } from '../billing/subscription.events';
import { extendTrial } from '../billing/subscription-timers';
import type { Applied, MotionKind, Offer } from './motion.events';
import { notEligibleError } from './run.decider';

/** An offer and the inputs that it needs. */
export interface OfferTerms {
  readonly offer: Offer;
  readonly subscriberId: string;
  /** The newest terms of the plan that the offer switches to. Null for other offers. */
  readonly plan: PlanTerms | null;
  /** True if acceptance undoes a scheduled cancellation (`mustUndoCancellation`). */
  readonly undoesCancellation: boolean;
}

/**
 * True if acceptance undoes a scheduled cancellation: an offer of a `cancel_save` motion, other
 * than a redirect. The decisions do not say this, but the cancellation would otherwise end what the
 * offer gave. After a redirect, the tenant decides.
 */
export const mustUndoCancellation = (kind: MotionKind | undefined, offer: Offer | null): boolean =>
  kind === 'cancel_save' && offer?.type !== 'redirect';

/** Undoes a scheduled cancellation of the primary subscription. */
export const undoCancellation = (
  draft: SubscriptionDraft,
  acting: Pick<PaymentEffects, 'actor'>,
  saves: boolean,
): void => {
  const primary = findPrimary(draft.state.subscriptions);
  if (saves && primary !== null && primary.cancelAt !== null)
    removeCancellation(draft, acting, primary.id);
};

/**
 * Applies an accepted offer to the primary subscription by ordinary billing decisions (D-34). A
 * refusal is thrown. The caller then drops the draft, so that no part of the offer takes effect.
 */
export const applyOffer = async (
  draft: BillingDraft,
  effects: PaymentEffects,
  { offer, subscriberId, plan, undoesCancellation }: OfferTerms,
): Promise<Applied> => {
  const { type } = offer;
  undoCancellation(draft, effects, undoesCancellation);
  switch (offer.type) {
    case 'credit': {
      const runId = requirePresent(effects.motionRunId, 'the run of the motion');
      const id = effects.newId('crd', subscriberId, `motion ${runId}`);
      grantOfferedCredit(draft, effects, { offer, id, subscriberId });
      return { type, ref: id };
    }
    case 'redirect':
      return { type, ref: offer.url };
    case 'plan_switch': {
      const subscription = requireRunning(draft.state);
      await changePlan(draft, effects, createPlanChange(subscription, offer, plan));
      return { type, ref: subscription.id };
    }
    default: {
      const subscription = requireRunning(draft.state);
      changeSubscription(draft, effects, { offer, subscription });
      return { type, ref: subscription.id };
    }
  }
};

type CreditOffer = Extract<Offer, { type: 'credit' }>;
type SwitchOffer = Extract<Offer, { type: 'plan_switch' }>;
type SubscriptionOffer = Exclude<Offer, CreditOffer | SwitchOffer | { type: 'redirect' }>;

const requireRunning = ({ subscriptions }: { subscriptions: Subscriptions }): Subscription => {
  const primary = findPrimary(subscriptions);
  if (primary !== null && isRunning(primary)) return primary;
  const allowed = ['active', 'trialing', 'paused'];
  if (primary !== null) throw wrongStateError('subscription', { status: primary.status, allowed });
  throw new DomainError('invalid_state_transition', 'The subscriber has no subscription.', {
    details: { current_status: null, allowed },
  });
};

const grantOfferedCredit = (
  draft: BillingDraft,
  { actor, motionRunId }: PaymentEffects,
  { offer, id, subscriberId }: { offer: CreditOffer; id: string; subscriberId: string },
): void => {
  grantCredit(draft, {
    id,
    subscriberId,
    amount: offer.amount,
    currency: offer.currency,
    category: 'promotional',
    expiresAt:
      offer.expires_in_days === undefined ? null : plusDays(draft.now, offer.expires_in_days),
    source: { type: 'motion_run', id: motionRunId },
    note: null,
    motionRunId,
    reason: 'motion',
    actor,
  });
};

const createPlanChange = (
  subscription: Subscription,
  offer: SwitchOffer,
  plan: PlanTerms | null,
) => {
  if (plan === null) throw notFound('plan', 'offer.to_plan');
  return {
    subscriptionId: subscription.id,
    terms: plan,
    behavior: offer.proration_behavior,
    prorationDate: null,
  };
};

type SubscriptionDraft = Draft<{ readonly subscriptions: Subscriptions }, SubscriptionFact>;

const changeSubscription = (
  draft: SubscriptionDraft,
  acting: Pick<PaymentEffects, 'actor' | 'motionRunId'>,
  { offer, subscription }: { offer: SubscriptionOffer; subscription: Subscription },
): void => {
  const { id: subscriptionId } = subscription;
  switch (offer.type) {
    case 'pause': {
      if (subscription.status === 'paused') throw alreadyPausedError();
      const resumesAt = plusDays(draft.now, offer.days);
      pauseSubscription(draft, acting, { subscriptionId, effective: 'immediately', resumesAt });
      return;
    }
    case 'trial_extension':
      extendTrial(draft, acting, { subscriptionId, days: offer.days });
      return;
    case 'discount_percent':
    case 'discount_amount':
      addOfferedDiscount(draft, acting, { offer, subscription });
      return;
    default:
      unreachable(offer);
  }
};

const alreadyPausedError = (): DomainError =>
  wrongStateError('subscription', { status: 'paused', allowed: ['active', 'trialing'] });

type DiscountOffer = Extract<Offer, { type: 'discount_percent' | 'discount_amount' }>;

/**
 * Adds a discount for periods that begin from now on. Refuses one that could reduce none of them.
 */
const addOfferedDiscount = (
  draft: SubscriptionDraft,
  { actor, motionRunId }: Pick<PaymentEffects, 'actor' | 'motionRunId'>,
  { offer, subscription }: { offer: DiscountOffer; subscription: Subscription },
): void => {
  const { amount, currency } = subscription.terms;
  if (offer.type === 'discount_amount' && offer.currency !== currency) {
    throw new DomainError('currency_mismatch', 'The discount has another currency.');
  }
  const discount = toDiscount(offer, draft.now);
  const from = findNextCharge(subscription, draft.now);
  if (!canReduce(subscription, { added: discount, amount, from })) {
    throw notEligibleError('offer_not_applicable');
  }
  draft.add({
    type: 'subscription.discount_applied',
    subscriptionId: subscription.id,
    data: {
      discount,
      motion_run_id: motionRunId,
      reason: motionRunId === null ? 'requested' : 'motion',
      actor,
    },
  });
};

/**
 * Makes the discount of an offer. `repeating` counts for periods that begin within `months` months.
 */
const toDiscount = (offer: DiscountOffer, now: Instant): Discount => {
  const months =
    offer.duration === 'repeating'
      ? requirePresent(offer.months, 'the months of a repeating discount')
      : null;
  return {
    percent: offer.type === 'discount_percent' ? offer.percent : null,
    amount: offer.type === 'discount_amount' ? offer.amount : null,
    currency: offer.type === 'discount_amount' ? offer.currency : null,
    duration: offer.duration,
    ends_at:
      months === null
        ? null
        : computePeriodEnd(now, { unit: 'month', count: months }, readAnchorDay(now)),
  };
};

/**
 * Returns the start of the earliest period not yet charged. For a paused subscription this is now.
 */
const findNextCharge = ({ status, period, openPayments }: Subscription, now: Instant): Instant =>
  status === 'paused'
    ? now
    : Object.values(openPayments).reduce(
        (end, payment) => later(end, payment.period_end),
        period.end,
      );

/**
 * True if the offer could be applied now. Its decisions are tried on a draft that is thrown away,
 * except for a charge, which only an accepted offer makes.
 */
export const isApplicable = (
  draft: SubscriptionDraft,
  { offer, plan, undoesCancellation }: Omit<OfferTerms, 'subscriberId'>,
): boolean => {
  try {
    undoCancellation(draft, { actor: 'motion' }, undoesCancellation);
    if (offer.type === 'credit' || offer.type === 'redirect') return true;
    const subscription = requireRunning(draft.state);
    if (offer.type === 'plan_switch') {
      return (
        quotePlanChange(draft.state, createPlanChange(subscription, offer, plan), draft.now) !==
        null
      );
    }
    changeSubscription(draft, { actor: 'motion', motionRunId: null }, { offer, subscription });
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
};
