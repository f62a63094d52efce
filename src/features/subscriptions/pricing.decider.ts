import type { MinorUnits } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { PlanTerms } from '../plans/plan.events';
import { afterPeriod, discountOn } from './discount.decider';
import type { Discount } from './subscription.events';

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

/** What a period costs, net of discounts, and what it leaves of them. */
export const pricedAt = (
  priced: Priced,
  { terms, period_start: start }: BegunPeriod,
): { readonly periodPrice: MinorUnits; readonly discounts: readonly Discount[] } => {
  const { asked, discounts } = priced;
  if (asked?.start === start) return { periodPrice: asked.price, discounts };
  return {
    periodPrice: terms.amount - discountOn(priced, terms.amount, start),
    discounts: afterPeriod(priced, terms.amount, start),
  };
};
