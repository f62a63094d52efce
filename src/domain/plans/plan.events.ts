import { type Static, Type } from '@sinclair/typebox';
import type { FactOf } from '../../kernel/decider';
import type { IntervalUnit } from '../../kernel/period';
import { Amount, CurrencyCode, Moment, nullable, oneOf } from '../schema/fields';

export const INTERVAL_UNITS: readonly IntervalUnit[] = ['day', 'week', 'month', 'year'];

/** The price and interval of a plan. A running period keeps its terms when the plan changes. */
export const PlanTerms = Type.Object({
  plan: Type.String(),
  version: Type.Integer(),
  amount: Amount,
  currency: CurrencyCode,
  interval: oneOf(INTERVAL_UNITS),
  interval_count: Type.Integer(),
});

export type PlanTerms = Static<typeof PlanTerms>;

export const planEvents = {
  'plan.saved': Type.Object({
    scope: Type.String(),
    terms: PlanTerms,
    name: Type.String(),
    trial_days: Type.Integer(),
    external_id: nullable(Type.String()),
    created_at: Moment,
  }),
};

export type PlanFact = FactOf<typeof planEvents>;
