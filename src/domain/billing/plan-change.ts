import { DomainError } from '../../kernel/errors';
import { type Interval, computeMonthlyAmount } from '../../kernel/period';
import { type Instant, MINUTE_MS, plusMs } from '../../kernel/time';
import { collectAmount, type CollectionResult, type PaymentEffects } from './collecting';
import type { Line } from './payment.events';
import type { PlanTerms } from '../plans/plan.events';
import type { BillingDraft } from './pausing';
import { computeDiscount } from './discount';
import { beginsNewPeriod } from './pricing';
import {
  computeProrationInstant,
  createCreditLine,
  createDebitLine,
  requireNoOpenPayment,
} from './proration';
import {
  type Period,
  computePeriod,
  requireSubscription,
  type Subscription,
  type Subscriptions,
} from './subscription';
import type { Proration, ProrationBehavior, SubscriptionStatus } from './subscription.events';
import { invalidTransitionError, checkCommand } from './transitions';

/** A quote can be used for this long (D-14). */
const PREVIEW_VALID_MS = 15 * MINUTE_MS;

export interface PlanChange {
  readonly subscriptionId: string;
  /** The newest terms of the plan to change to. */
  readonly terms: PlanTerms;
  readonly behavior: ProrationBehavior;
  /** The proration date of an earlier preview. Null means now. */
  readonly prorationDate: Instant | null;
}

/** The effects of a plan change before it happens. */
export interface PlanQuote {
  readonly fromPlan: string;
  readonly toPlan: string;
  readonly direction: 'upgrade' | 'downgrade' | 'lateral';
  readonly proration: Proration;
  /** The period that runs after the change. */
  readonly period: Period;
}

/** Quotes a plan change (D-10 to D-14) with the same refusals. Returns null for the same plan. */
export const quotePlanChange = (
  state: { readonly subscriptions: Subscriptions },
  change: PlanChange,
  now: Instant,
): PlanQuote | null => {
  const subscription = requireSubscription(state, change.subscriptionId);
  checkCommand('change_plan', subscription, listRefusedStatuses(change));
  if (subscription.terms.plan === change.terms.plan) return null;
  requireChangeable(subscription, change);
  const at = computeProrationInstant(
    chooseProrationDate(subscription, change, now),
    subscription.period,
  );
  const { lines, applied, period } = settlePending(subscription, prorate(subscription, change, at));
  const net = lines.reduce((sum, { amount }) => sum + amount, 0);
  if (applied === 'immediately' && net < 0) {
    requireNoOpenPayment(subscription, {
      param: 'proration_behavior',
      instead: 'change the plan with proration_behavior "none"',
    });
  }
  return {
    fromPlan: subscription.terms.plan,
    toPlan: change.terms.plan,
    direction: comparePrices(subscription.terms, change.terms),
    proration: {
      behavior: change.behavior,
      proration_date: at,
      lines,
      net,
      currency: change.terms.currency,
      applied,
    },
    period,
  };
};

/** Changes the plan now. Its proration lines are charged now or at the next renewal. */
export const changePlan = async (
  draft: BillingDraft,
  effects: PaymentEffects,
  change: PlanChange,
): Promise<CollectionResult | null> => {
  const quote = quotePlanChange(draft.state, change, draft.now);
  if (quote === null) return null;
  const subscription = requireSubscription(draft.state, change.subscriptionId);
  const { proration, period } = quote;
  draft.add({
    type: 'subscription.plan_changed',
    subscriptionId: subscription.id,
    data: {
      from_plan: quote.fromPlan,
      to_plan: quote.toPlan,
      direction: quote.direction,
      proration,
      period_start: period.start,
      period_end: period.end,
      motion_run_id: effects.motionRunId,
      reason: effects.motionRunId === null ? 'requested' : 'motion',
      actor: effects.actor,
      terms: change.terms,
    },
  });
  if (proration.applied !== 'immediately') return null;
  // A decline refuses the whole command, so that nothing has changed (D-11).
  return collectAmount(draft, effects, {
    subscription,
    reason: 'plan_change',
    terms: change.terms,
    period: { start: proration.proration_date, end: period.end },
    lines: proration.lines,
    ifDeclined: 'refuse',
  });
};

/**
 * Returns the statuses in which a plan change is refused. A paused subscription cannot be prorated,
 * because no period is running.
 */
const listRefusedStatuses = ({ behavior }: Pick<PlanChange, 'behavior'>): SubscriptionStatus[] =>
  behavior === 'none' ? [] : ['paused'];

const requireChangeable = (subscription: Subscription, { terms, behavior }: PlanChange): void => {
  if (subscription.terms.currency !== terms.currency) {
    throw new DomainError('currency_mismatch', 'The plans have different currencies.', {
      param: 'to_plan',
      details: { current_currency: subscription.terms.currency, currency: terms.currency },
    });
  }
  if (behavior === 'none') return;
  if (listRefusedStatuses({ behavior }).includes(subscription.status)) {
    throw invalidTransitionError('change_plan', subscription, listRefusedStatuses({ behavior }));
  }
  if (subscription.pastDueSince !== null) {
    throw new DomainError(
      'payment_past_due',
      'With an unpaid amount the plan changes only with proration_behavior "none".',
      { param: 'proration_behavior' },
    );
  }
};

const chooseProrationDate = (
  { period }: Subscription,
  { prorationDate: given }: PlanChange,
  now: Instant,
): Instant => {
  if (given === null) return now;
  if (given <= now && given >= plusMs(now, -PREVIEW_VALID_MS) && given >= period.start)
    return given;
  throw new DomainError(
    'parameter_invalid',
    'proration_date must be of a preview of the running period, at most 15 minutes old.',
    { param: 'proration_date' },
  );
};

interface ProrationResult {
  readonly lines: Line[];
  readonly applied: Proration['applied'];
  readonly period: Period;
}

/**
 * Adds the lines of earlier changes that wait for the next renewal to a change that is charged now.
 * Without them, this change would credit time whose price is not charged yet. Stripe invoices
 * pending items in the same way.
 */
const settlePending = (
  { pendingLines }: Subscription,
  { lines, ...result }: ProrationResult,
): ProrationResult => ({
  ...result,
  lines: result.applied === 'immediately' ? [...pendingLines, ...lines] : lines,
});

const prorate = (subscription: Subscription, change: PlanChange, at: Instant): ProrationResult => {
  const { status, period } = subscription;
  const { terms, behavior } = change;
  if (status !== 'active') return { lines: [], applied: 'none', period };
  if (beginsNewPeriod(subscription.terms, terms))
    return prorateIntoNewPeriod(subscription, change, at);
  if (behavior === 'none') return { lines: [], applied: 'none', period };
  const lines = [createCreditLine(subscription, at), createDebitLine(subscription, terms, at)];
  // A free plan has no renewal that could offset the unused time, so it is credited now.
  const now = behavior === 'always_invoice' || terms.amount === 0;
  return { lines, applied: now ? 'immediately' : 'next_renewal', period };
};

const prorateIntoNewPeriod = (
  subscription: Subscription,
  { terms, behavior }: PlanChange,
  at: Instant,
): ProrationResult => {
  const period = computePeriod(terms, at);
  const credit = createCreditLine(subscription, at);
  const amount = terms.amount - computeDiscount(subscription, terms.amount, at);
  const debit: Line = {
    kind: 'debit',
    plan: terms.plan,
    amount,
    period_start: period.start,
    period_end: period.end,
  };
  return {
    lines: behavior === 'none' || credit.amount === 0 ? [debit] : [credit, debit],
    applied: 'immediately',
    period,
  };
};

const toInterval = ({ interval, interval_count }: PlanTerms): Interval => ({
  unit: interval,
  count: interval_count,
});

const comparePrices = (from: PlanTerms, to: PlanTerms): PlanQuote['direction'] => {
  const before = computeMonthlyAmount(from.amount, toInterval(from));
  const after = computeMonthlyAmount(to.amount, toInterval(to));
  return after > before ? 'upgrade' : after < before ? 'downgrade' : 'lateral';
};
