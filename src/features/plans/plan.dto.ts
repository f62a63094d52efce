import { type Static, Type } from '@sinclair/typebox';
import { Choice, CurrencyField, Int, Line, Text } from '../../http/fields/fields';
import { ListQuery } from '../../http/lists/list-query';
import { AMOUNT_MAX } from '../../kernel/money';
import type { IntervalUnit } from '../../kernel/period';
import { Amount, CurrencyCode, Moment, nullable, oneOf } from '../../domain/schema/fields';
import type { SavedPlan } from '../../domain/plans/plan.decider';
import { INTERVAL_UNITS } from '../../domain/plans/plan.events';

export class SavePlanBody {
  @Line({ max: 200, example: 'Pro' })
  readonly name!: string;

  @Int({
    min: 0,
    max: AMOUNT_MAX,
    description: 'The price of one period in minor units.',
    example: 2000,
  })
  readonly amount!: number;

  @CurrencyField()
  readonly currency!: string;

  @Choice(INTERVAL_UNITS, { example: 'month' })
  readonly interval!: IntervalUnit;

  @Int({ min: 1, max: 365, optional: true, default: 1 })
  readonly interval_count?: number;

  @Int({ min: 0, max: 730, optional: true, default: 0 })
  readonly trial_days?: number;

  @Text({ optional: true, nullable: true, description: 'Your own id, unique in the environment.' })
  readonly external_id?: string | null;
}

export class ListPlansQuery extends ListQuery {}

export const PlanResource = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    amount: Amount,
    currency: CurrencyCode,
    interval: oneOf(INTERVAL_UNITS),
    interval_count: Type.Integer(),
    trial_days: Type.Integer(),
    version: Type.Integer(),
    external_id: nullable(Type.String()),
    created_at: Moment,
    updated_at: Moment,
  },
  { title: 'Plan' },
);
export type PlanResource = Static<typeof PlanResource>;

export const viewPlan = (plan: SavedPlan): PlanResource => ({
  id: plan.terms.plan,
  name: plan.name,
  amount: plan.terms.amount,
  currency: plan.terms.currency,
  interval: plan.terms.interval,
  interval_count: plan.terms.interval_count,
  trial_days: plan.trialDays,
  version: plan.terms.version,
  external_id: plan.externalId,
  created_at: plan.createdAt,
  updated_at: plan.updatedAt,
});
