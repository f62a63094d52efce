import { type Static, Type } from '@sinclair/typebox';
import { Choice, Id, Int, Moment as MomentField, Text } from '../../http/fields/fields';
import { SchemaRules } from '../../http/fields/schema-rules';
import { ListQuery } from '../../http/lists/list-query';
import {
  Amount,
  CurrencyCode,
  Moment,
  nullable,
  oneOf,
  PersonalText,
} from '../../domain/schema/fields';
import { Line } from '../../domain/billing/payment.events';
import type { PlanPreview } from './subscription.commands';
import type { Subscription } from '../../domain/billing/subscription';
import {
  CANCELLATION_FEEDBACK,
  type CancellationFeedback,
  END_REASONS,
  PRORATION_BEHAVIORS,
  type ProrationBehavior,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '../../domain/billing/subscription.events';
import { PAYMENT_STATES, viewSubscription } from '../../domain/billing/subscription-view';

const TRIAL_DAYS_MAX = 730;

@SchemaRules({ not: { required: ['trial_days', 'trial_end'] } })
export class CreateSubscriptionBody {
  @Id()
  readonly subscriber_id!: string;

  @Id({ description: 'The id of the plan.', example: 'pro' })
  readonly plan!: string;

  @Int({
    min: 0,
    max: TRIAL_DAYS_MAX,
    optional: true,
    description:
      'The length of the trial; 0 is no trial. Default, if `trial_end` is not given either: the trial of the plan.',
  })
  readonly trial_days?: number;

  @MomentField({
    optional: true,
    description: 'The end of the trial, a time in the future. Instead of `trial_days`.',
  })
  readonly trial_end?: string;

  @Text({
    optional: true,
    description:
      'In test environments one of the `pm_test_…` methods; in live environments the reference of your payment provider.',
    example: 'pm_test_ok',
  })
  readonly payment_method?: string;

  @Text({ optional: true, nullable: true, description: 'Your own id, unique in the environment.' })
  readonly external_id?: string | null;
}

const EFFECTIVE_TIMES = ['period_end', 'immediately'] as const;
const COMMENT_CHARS_MAX = 5_000;

export class PauseBody {
  @Choice(EFFECTIVE_TIMES, {
    optional: true,
    default: 'period_end',
    example: 'period_end',
    description: 'When the pause begins. `immediately` freezes the rest of the period or trial.',
  })
  readonly effective?: (typeof EFFECTIVE_TIMES)[number];

  @MomentField({
    optional: true,
    nullable: true,
    description: 'When the subscription resumes by itself.',
  })
  readonly resumes_at?: string | null;
}

export class ResumeBody {
  @Choice(['continue', 'new_period'], {
    optional: true,
    default: 'continue',
    example: 'continue',
    description:
      'Whether the frozen time continues, or (`new_period`) is credited while a whole new period is charged now. While the payment of the paused period is open, `new_period` is refused with `payment_past_due`.',
  })
  readonly billing?: 'continue' | 'new_period';
}

export class CancelBody {
  @Choice(EFFECTIVE_TIMES, { optional: true, default: 'period_end', example: 'period_end' })
  readonly effective?: (typeof EFFECTIVE_TIMES)[number];

  @Choice(CANCELLATION_FEEDBACK, { optional: true, nullable: true, example: 'too_expensive' })
  readonly feedback?: CancellationFeedback | null;

  @Text({
    optional: true,
    nullable: true,
    max: COMMENT_CHARS_MAX,
    description: 'The words of the subscriber. Personal.',
  })
  readonly comment?: string | null;
}

export class ChangePlanBody {
  @Id({ description: 'The id of the plan.', example: 'pro' })
  readonly to_plan!: string;

  @Choice(PRORATION_BEHAVIORS, {
    optional: true,
    default: 'create_prorations',
    description:
      'How the difference is charged. `create_prorations`: with the next renewal. `always_invoice`: now; if the charge is declined, nothing changes. `none`: not at all; the new price counts from the next renewal.',
  })
  readonly proration_behavior?: ProrationBehavior;

  @MomentField({
    optional: true,
    description:
      'The `proration_date` of a preview that is at most 15 minutes old. The change then has the same amounts.',
  })
  readonly proration_date?: string;
}

export class PaymentMethodBody {
  @Text({
    description:
      'In test environments one of the `pm_test_…` methods; in live environments the reference of your payment provider.',
    example: 'pm_test_ok',
  })
  readonly payment_method!: string;
}

export class GetSubscriptionQuery {
  @MomentField({ optional: true, description: 'The subscription as it was at this moment.' })
  readonly at?: string;
}

export class ListSubscriptionsQuery extends ListQuery {
  @Choice(SUBSCRIPTION_STATUSES, { optional: true })
  readonly status?: SubscriptionStatus;

  @Id({ optional: true })
  readonly subscriber_id?: string;

  @Id({ optional: true })
  readonly plan?: string;

  @Text({ optional: true, description: 'The subscription with this id of your own.' })
  readonly external_id?: string;
}

export const SubscriptionResource = Type.Object(
  {
    id: Type.String(),
    subscriber_id: Type.String(),
    external_id: nullable(Type.String()),
    status: oneOf(SUBSCRIPTION_STATUSES),
    plan: Type.String(),
    current_period_start: Moment,
    current_period_end: Moment,
    trial_end: nullable(Moment),
    cancel_at: nullable(Moment),
    cancel_at_period_end: Type.Boolean(),
    cancelled_at: nullable(Moment),
    lapsed_at: nullable(Moment),
    paused_at: nullable(Moment),
    pauses_at: nullable(Moment),
    resumes_at: nullable(Moment),
    payment_state: oneOf(PAYMENT_STATES),
    past_due_since: nullable(Moment),
    grace_ends_at: nullable(Moment),
    next_payment_attempt_at: nullable(Moment),
    pending_plan: nullable(Type.String()),
    cancellation: nullable(
      Type.Object({
        reason: oneOf(END_REASONS),
        feedback: nullable(oneOf(CANCELLATION_FEEDBACK)),
        comment: PersonalText,
      }),
    ),
    created_at: Moment,
  },
  { title: 'Subscription' },
);
export type SubscriptionResource = Static<typeof SubscriptionResource>;

/** Returns the resource with the comment of its cancellation, which lists leave out. */
export const viewSubscriptionWithComment = (subscription: Subscription): SubscriptionResource => {
  const view = viewSubscription(subscription);
  if (view.cancellation === null) return view;
  const comment = subscription.cancellation?.comment ?? null;
  return { ...view, cancellation: { ...view.cancellation, comment } };
};

export const PlanPreviewResource = Type.Object(
  {
    from_plan: Type.String(),
    to_plan: Type.String(),
    direction: oneOf(['upgrade', 'downgrade', 'lateral']),
    proration_behavior: oneOf(PRORATION_BEHAVIORS),
    proration_date: Moment,
    lines: Type.Array(Line),
    net: Amount,
    currency: CurrencyCode,
    applied: oneOf(['next_renewal', 'immediately', 'none']),
    current_period_start: Moment,
    current_period_end: Moment,
  },
  { title: 'PlanPreview' },
);
export type PlanPreviewResource = Static<typeof PlanPreviewResource>;

export const viewPreview = (
  { subscription, quote, at }: PlanPreview,
  behavior: ProrationBehavior,
): PlanPreviewResource => {
  const { plan, currency } = subscription.terms;
  return {
    from_plan: quote?.fromPlan ?? plan,
    to_plan: quote?.toPlan ?? plan,
    direction: quote?.direction ?? 'lateral',
    proration_behavior: behavior,
    proration_date: quote?.proration.proration_date ?? at,
    lines: quote?.proration.lines ?? [],
    net: quote?.proration.net ?? 0,
    currency,
    applied: quote?.proration.applied ?? 'none',
    current_period_start: quote?.period.start ?? subscription.period.start,
    current_period_end: quote?.period.end ?? subscription.period.end,
  };
};
