import type { MinorUnits } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { PlanTerms } from '../plans/plan.events';
import { afterPeriod, discountOn, lasting } from './discount';
import type { Discount, Proration } from './subscription.events';

/** A period that will begin when its payment comes in, at the price that was asked for it. */
export interface Asked {
  readonly start: Instant;
  readonly price: MinorUnits;
}

/** A period as the fact that begins it states it. */
export interface BegunPeriod {
  readonly terms: PlanTerms;
  readonly period_start: Instant;
  readonly period_end: Instant;
}

interface Priced {
  readonly asked: Asked | null;
  readonly discounts: readonly Discount[];
}

interface Price {
  readonly periodPrice: MinorUnits;
  readonly discounts: readonly Discount[];
}

/** What a period costs, net of discounts, and what it leaves of them. */
export const pricedAt = (
  priced: Priced,
  { terms, period_start: start }: Pick<BegunPeriod, 'terms' | 'period_start'>,
): Price => {
  const { asked, discounts } = priced;
  if (asked?.start === start) return { periodPrice: asked.price, discounts };
  return {
    periodPrice: terms.amount - discountOn(priced, terms.amount, start),
    discounts: afterPeriod(priced, terms.amount, start),
  };
};

/** D-12: another interval, or free to paid. Paid to free keeps its period. */
export const beginsNewPeriod = (old: PlanTerms, terms: PlanTerms): boolean => {
  if (terms.amount === 0) return false;
  const sameInterval =
    old.interval === terms.interval && old.interval_count === terms.interval_count;
  return !sameInterval || old.amount === 0;
};

interface Running extends Price {
  readonly terms: PlanTerms;
}

/** What the running period would have cost as a whole on new terms (D-10); it uses no discount up. */
export const runningPrice = (
  { discounts }: Pick<Priced, 'discounts'>,
  terms: PlanTerms,
  start: Instant,
): MinorUnits => terms.amount - discountOn({ discounts: lasting(discounts) }, terms.amount, start);

/** The price after a plan change: of a new period, or of the running one where it was prorated. */
export const pricedByChange = (
  { terms: old, periodPrice, discounts }: Running,
  { terms, proration, period_start: start }: BegunPeriod & { readonly proration: Proration },
): Price => {
  if (proration.applied === 'none') return { periodPrice, discounts };
  if (!beginsNewPeriod(old, terms)) {
    return { periodPrice: runningPrice({ discounts }, terms, start), discounts };
  }
  return pricedAt({ asked: null, discounts }, { terms, period_start: start });
};
