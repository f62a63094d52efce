import { DomainError } from '../../kernel/errors';
import { type MinorUnits, multiplyDivide } from '../../kernel/money';
import { fromMillis, type Instant, later, msBetween, toMillis } from '../../kernel/time';
import type { Line } from './payment.events';
import type { PlanTerms } from '../plans/plan.events';
import { computeDiscount } from './discount';
import { computeRunningPrice } from './pricing';
import type { Period, Subscription } from './subscription';

/** Returns the request time in whole seconds, but not before the start of the period (D-10). */
export const computeProrationInstant = (now: Instant, period: Period): Instant =>
  later(period.start, fromMillis(Math.floor(toMillis(now) / 1000) * 1000));

/** The share of a price for the rest of the period, rounded half away from zero. */
const computeUnusedShare = (price: MinorUnits, at: Instant, { start, end }: Period): MinorUnits =>
  multiplyDivide(price, Math.max(0, msBetween(at, end)), msBetween(start, end));

/** Returns the value of the unused time of the running period as a negative line. */
export const createCreditLine = (
  { terms, period, periodPrice }: Subscription,
  at: Instant,
): Line => ({
  kind: 'credit',
  plan: terms.plan,
  amount: -computeUnusedShare(periodPrice, at, period) + 0,
  period_start: at,
  period_end: period.end,
});

/** Returns the price of the rest of the period on new terms as a line. */
export const createDebitLine = (
  subscription: Subscription,
  terms: PlanTerms,
  at: Instant,
): Line => {
  const { period } = subscription;
  return {
    kind: 'debit',
    plan: terms.plan,
    amount: computeUnusedShare(computeRunningPrice(subscription, terms, period.start), at, period),
    period_start: at,
    period_end: period.end,
  };
};

/**
 * Refuses to credit the unused time of a period whose payment is still open: its outcome is unknown,
 * and the credit could be spent (D-13). `instead` is what the caller may do now.
 */
export const requireNoOpenPayment = (
  { openPayments }: Subscription,
  { param, instead }: { readonly param: string; readonly instead: string },
): void => {
  if (Object.keys(openPayments).length === 0) return;
  throw new DomainError(
    'payment_past_due',
    `The running period is not paid yet, so its unused time cannot be credited now: ${instead}, or wait until it is paid.`,
    { param },
  );
};

/** Returns the lines of a whole period: price, discount and the pending proration lines. */
export const createPeriodLines = (
  subscription: Pick<Subscription, 'discounts' | 'pendingLines'>,
  terms: PlanTerms,
  { start, end }: Period,
): Line[] => {
  const discount = computeDiscount(subscription, terms.amount, start);
  const whole = { plan: terms.plan, period_start: start, period_end: end };
  return [
    { kind: 'period', amount: terms.amount, ...whole },
    ...(discount === 0 ? [] : [{ kind: 'discount' as const, amount: -discount, ...whole }]),
    ...subscription.pendingLines,
  ];
};
