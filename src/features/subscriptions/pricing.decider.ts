import type { MinorUnits } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { PlanTerms } from '../plans/plan.events';
import { afterPeriod, discountOn } from './discount.decider';
import type { Discount, Proration, SubscriptionStatus } from './subscription.events';

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
export const pricedAt = (priced: Priced, { terms, period_start: start }: BegunPeriod): Price => {
  const { asked, discounts } = priced;
  if (asked?.start === start) return { periodPrice: asked.price, discounts };
  return {
    periodPrice: terms.amount - discountOn(priced, terms.amount, start),
    discounts: afterPeriod(priced, terms.amount, start),
  };
};

interface Running extends Priced {
  readonly status: SubscriptionStatus;
  readonly period: { readonly start: Instant };
  readonly periodPrice: MinorUnits;
}

/** The price after a plan change: of a prorated or a new period. What is charged now uses `once` up. */
export const pricedByChange = (
  { status, period, periodPrice, discounts }: Running,
  { terms, proration, period_start: start }: BegunPeriod & { readonly proration: Proration },
): Price => {
  const priced = proration.behavior !== 'none' || start !== period.start;
  return {
    periodPrice:
      priced && status === 'active'
        ? terms.amount - discountOn({ discounts }, terms.amount, start)
        : periodPrice,
    discounts:
      proration.applied === 'immediately'
        ? afterPeriod({ discounts }, terms.amount, start)
        : discounts,
  };
};
