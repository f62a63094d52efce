import type { MinorUnits } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { PlanTerms } from '../plans/plan.events';
import { useUpDiscounts, computeDiscount, selectForPartOfPeriod } from './discount';
import type { Discount, Proration } from './subscription.events';

/** A period that begins when its payment succeeds, with the price that was charged for it. */
export interface ChargedPeriod {
  readonly start: Instant;
  readonly price: MinorUnits;
}

/** A period as stated by the event that begins it. */
export interface BegunPeriod {
  readonly terms: PlanTerms;
  readonly period_start: Instant;
  readonly period_end: Instant;
}

interface PricingState {
  readonly trialPayment: ChargedPeriod | null;
  readonly discounts: readonly Discount[];
}

interface PeriodPrice {
  readonly periodPrice: MinorUnits;
  readonly discounts: readonly Discount[];
}

/** Returns the price of a period, net of discounts, and the discounts that are left after it. */
export const computePeriodPrice = (
  priced: PricingState,
  { terms, period_start: start }: Pick<BegunPeriod, 'terms' | 'period_start'>,
): PeriodPrice => {
  const { trialPayment, discounts } = priced;
  if (trialPayment?.start === start) return { periodPrice: trialPayment.price, discounts };
  return {
    periodPrice: terms.amount - computeDiscount(priced, terms.amount, start),
    discounts: useUpDiscounts(priced, terms.amount, start),
  };
};

/** True for a change of the interval or from free to paid (D-12). Paid to free keeps the period. */
export const beginsNewPeriod = (old: PlanTerms, terms: PlanTerms): boolean => {
  if (terms.amount === 0) return false;
  const sameInterval =
    old.interval === terms.interval && old.interval_count === terms.interval_count;
  return !sameInterval || old.amount === 0;
};

interface RunningPeriod extends PeriodPrice {
  readonly terms: PlanTerms;
}

/** The price of the whole running period on new terms (D-10). It uses up no discount. */
export const computeRunningPrice = (
  { discounts }: Pick<PricingState, 'discounts'>,
  terms: PlanTerms,
  start: Instant,
): MinorUnits =>
  terms.amount -
  computeDiscount({ discounts: selectForPartOfPeriod(discounts) }, terms.amount, start);

/** Returns the price after a plan change, for a new period or for a prorated running one. */
export const computeChangedPrice = (
  { terms: old, periodPrice, discounts }: RunningPeriod,
  { terms, proration, period_start: start }: BegunPeriod & { readonly proration: Proration },
): PeriodPrice => {
  if (proration.applied === 'none') return { periodPrice, discounts };
  if (!beginsNewPeriod(old, terms)) {
    return { periodPrice: computeRunningPrice({ discounts }, terms, start), discounts };
  }
  return computePeriodPrice({ trialPayment: null, discounts }, { terms, period_start: start });
};
