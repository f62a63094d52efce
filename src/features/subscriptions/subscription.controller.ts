import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant, ShownBy } from '../../http/pipeline/decorators';
import { toInstant } from '../../http/lists/list-query';
import type { Page } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import type { Principal } from '../../http/pipeline/request-facts';
import { DomainError } from '../../kernel/errors';
import type { TenantContext } from '../../kernel/scope';
import {
  CancelSubscription,
  ChangePlan,
  CreateSubscription,
  type NewSubscription,
  PauseSubscription,
  type PlanChangeRequest,
  PreviewPlanChange,
  ReactivateSubscription,
  ResumeSubscription,
  UncancelSubscription,
  UpdatePaymentMethod,
  type WrittenSubscription,
} from './subscription.commands';
import {
  CancelBody,
  ChangePlanBody,
  CreateSubscriptionBody,
  GetSubscriptionQuery,
  ListSubscriptionsQuery,
  PauseBody,
  PaymentMethodBody,
  PlanPreviewResource,
  ResumeBody,
  viewSubscriptionWithComment,
  SubscriptionResource,
  viewPreview,
} from './subscription.dto';
import { GetSubscription, GetSubscriptionAt, ListSubscriptions } from './subscription.queries';
import { describeTransitions } from '../../domain/billing/transitions';

const CREATE_TEXT = [
  'It begins with a trial, or becomes active when its first charge succeeds. If the charge is declined, nothing is created.',
  '**In a live environment this service charges nobody: your payment provider does.** The subscription is active at once, its first payment is `pending`, and the event `payment.due` asks you to collect `payment.amount`. A webhook may arrive twice, so charge under an idempotency key of your provider such as `<payment.id>_<payment.attempt_count>`. Then report the outcome with `POST /v1/payments/{paymentId}/attempts`. A second report of the same outcome with the same `provider_ref` changes nothing. If nobody has paid by `grace_ends_at`, the subscription lapses.',
  '**To start, and charge, only once, send an `Idempotency-Key`.** A repeat with the same key within 24 hours gets the first response, also a 402, and starts nothing; after a 402 try again with a new key. A repeat without it, or with another key, starts a second subscription with a second payment, unless both have the same `external_id`: then it is refused with 409 `external_id_in_use`.',
].join('\n\n');

type SubscriptionResponse = Promise<Versioned<SubscriptionResource>>;

@ApiTags('Subscriptions')
@Controller('v1/subscriptions')
export class SubscriptionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @ShownBy('subscription.*')
  @Refuses('payment_failed', 'external_id_in_use', 'subscriber_erased')
  @Does('Starts a subscription.', CREATE_TEXT)
  @Requires('subscriptions:write')
  @Answer(SubscriptionResource, { status: 201 })
  async create(
    @InTenant() context: TenantContext,
    @Body() body: CreateSubscriptionBody,
  ): SubscriptionResponse {
    const request: NewSubscription = {
      subscriberId: body.subscriber_id,
      plan: body.plan,
      trial: readTrial(body),
      paymentMethod: body.payment_method ?? null,
      externalId: body.external_id ?? null,
    };
    return show(await this.commands.execute(new CreateSubscription(context, request)));
  }

  @Get()
  @Does('Lists subscriptions, newest first.')
  @Requires('subscriptions:read')
  @AnswerPage(SubscriptionResource)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListSubscriptionsQuery,
  ): Promise<Page<SubscriptionResource>> {
    return this.queries.execute(new ListSubscriptions(scope, query));
  }

  @Get(':subscriptionId')
  @Does(
    'Shows a subscription as it is now, or as it was at a moment in the past.',
    describeTransitions(),
  )
  @Requires('subscriptions:read')
  @Answer(SubscriptionResource)
  get(
    @Caller() { scope }: Principal,
    @Param('subscriptionId') id: string,
    @Query() { at }: GetSubscriptionQuery,
  ): Promise<Versioned<SubscriptionResource> | SubscriptionResource> {
    return at === undefined
      ? this.queries.execute(new GetSubscription(scope, id))
      : this.queries.execute(new GetSubscriptionAt(scope, id, toInstant(at, 'at')));
  }

  @Post(':subscriptionId/pause')
  @Refuses('invalid_state_transition', 'payment_past_due', 'subscriber_erased')
  @Does(
    "Pauses at the period's end, or at once.",
    'An immediate pause freezes the remaining time; resuming continues with it.',
  )
  @Requires('subscriptions:write')
  @Answer(SubscriptionResource)
  async pause(
    @InTenant() context: TenantContext,
    @Param('subscriptionId') subscriptionId: string,
    @Body() { effective = 'period_end', resumes_at }: PauseBody,
  ): SubscriptionResponse {
    const resumesAt = resumes_at == null ? null : toInstant(resumes_at, 'resumes_at');
    const request = { subscriptionId, effective, resumesAt };
    return show(await this.commands.execute(new PauseSubscription(context, request)));
  }

  @Post(':subscriptionId/resume')
  @ShownBy('subscription.*', 'payment.failed')
  @Refuses('payment_failed', 'payment_past_due', 'invalid_state_transition', 'subscriber_erased')
  @Does(
    'Resumes a paused subscription.',
    'If the pause is only scheduled, the schedule is removed. If no frozen time is left, a new period is charged; a trial then becomes active (`subscription.activated`).',
  )
  @Requires('subscriptions:write')
  @Answer(SubscriptionResource)
  async resume(
    @InTenant() context: TenantContext,
    @Param('subscriptionId') subscriptionId: string,
    @Body() { billing = 'continue' }: ResumeBody,
  ): SubscriptionResponse {
    const request = { subscriptionId, billing };
    return show(await this.commands.execute(new ResumeSubscription(context, request)));
  }

  @Post(':subscriptionId/cancel')
  @Refuses('invalid_state_transition', 'subscriber_erased')
  @Does(
    "Cancels at the period's end, or at once.",
    'A paused subscription ends at once, whatever `effective` says, because no period runs. `uncancel` undoes a scheduled cancellation. Proration lines that wait for the next renewal are not charged; if they are a surplus of the subscriber, it becomes a credit.',
  )
  @Requires('subscriptions:write')
  @Answer(SubscriptionResource)
  async cancel(
    @InTenant() context: TenantContext,
    @Param('subscriptionId') subscriptionId: string,
    @Body() { effective = 'period_end', feedback = null, comment = null }: CancelBody,
  ): SubscriptionResponse {
    const reason = 'cancellation_requested' as const;
    const request = { subscriptionId, effective, reason, feedback, comment };
    return show(await this.commands.execute(new CancelSubscription(context, request)));
  }

  @Post(':subscriptionId/uncancel')
  @Refuses('invalid_state_transition', 'subscriber_erased')
  @Does('Removes a scheduled cancellation.')
  @Requires('subscriptions:write')
  @Answer(SubscriptionResource)
  async uncancel(
    @InTenant() context: TenantContext,
    @Param('subscriptionId') subscriptionId: string,
  ): SubscriptionResponse {
    return show(await this.commands.execute(new UncancelSubscription(context, subscriptionId)));
  }

  @Post(':subscriptionId/reactivate')
  @ShownBy('subscription.*', 'payment.failed')
  @Refuses('payment_failed', 'invalid_state_transition', 'subscriber_erased')
  @Does(
    'Makes a cancelled or lapsed subscription active again.',
    'A lapsed subscription whose unpaid period still runs is charged the open amount and continues that period, on its latest plan. In every other case a new period begins. A cancellation or pause that was scheduled earlier is removed.',
  )
  @Requires('subscriptions:write')
  @Answer(SubscriptionResource)
  async reactivate(
    @InTenant() context: TenantContext,
    @Param('subscriptionId') subscriptionId: string,
  ): SubscriptionResponse {
    return show(await this.commands.execute(new ReactivateSubscription(context, subscriptionId)));
  }

  @Post(':subscriptionId/plan')
  @Refuses(
    'payment_failed',
    'invalid_state_transition',
    'payment_past_due',
    'currency_mismatch',
    'subscriber_erased',
  )
  @Does(
    'Changes the plan now.',
    'Unused time is prorated to the second. A new period begins if the interval changes, or if a free plan changes to a paid one. Time that is not paid yet gives no credit: while the period is unpaid, a change that would give one is refused. A change that is charged at once (`always_invoice`, a new period, or to a free plan) also charges the lines of earlier changes that wait for the next renewal; they come first in `lines`.',
  )
  @Requires('subscriptions:write')
  @Answer(SubscriptionResource)
  async changePlan(
    @InTenant() context: TenantContext,
    @Param('subscriptionId') subscriptionId: string,
    @Body() body: ChangePlanBody,
  ): SubscriptionResponse {
    const request = toChange(subscriptionId, body);
    return show(await this.commands.execute(new ChangePlan(context, request)));
  }

  @Post(':subscriptionId/plan/preview')
  @Refuses('invalid_state_transition', 'payment_past_due', 'currency_mismatch', 'subscriber_erased')
  @Does(
    'Shows what a plan change would cost.',
    'To get the same amounts, pass its `proration_date` to the change within 15 minutes.',
  )
  @Requires('subscriptions:read')
  @Answer(PlanPreviewResource)
  async previewPlan(
    @InTenant() context: TenantContext,
    @Param('subscriptionId') subscriptionId: string,
    @Body() body: ChangePlanBody,
  ): Promise<PlanPreviewResource> {
    const request = toChange(subscriptionId, body);
    const preview = await this.commands.execute(new PreviewPlanChange(context, request));
    return viewPreview(preview, request.behavior);
  }

  @Put(':subscriptionId/payment_method')
  @Refuses('invalid_state_transition', 'subscriber_erased')
  @Does(
    'Replaces the payment method.',
    'If the subscription is past due, the open payment is tried at once.',
  )
  @Requires('subscriptions:write')
  @Answer(SubscriptionResource)
  async updateMethod(
    @InTenant() context: TenantContext,
    @Param('subscriptionId') subscriptionId: string,
    @Body() { payment_method }: PaymentMethodBody,
  ): SubscriptionResponse {
    const command = new UpdatePaymentMethod(context, subscriptionId, payment_method);
    return show(await this.commands.execute(command));
  }
}

const show = ({ subscription, sequence }: WrittenSubscription): Versioned<SubscriptionResource> =>
  new Versioned(viewSubscriptionWithComment(subscription), sequence);

const toChange = (
  subscriptionId: string,
  { to_plan, proration_behavior = 'create_prorations', proration_date }: ChangePlanBody,
): PlanChangeRequest => ({
  subscriptionId,
  toPlan: to_plan,
  behavior: proration_behavior,
  prorationDate: proration_date === undefined ? null : toInstant(proration_date, 'proration_date'),
});

const readTrial = ({ trial_days, trial_end }: CreateSubscriptionBody): NewSubscription['trial'] => {
  if (trial_days !== undefined && trial_end !== undefined) {
    throw new DomainError('parameter_invalid', 'Send trial_days or trial_end, not both.', {
      param: 'trial_end',
    });
  }
  if (trial_end !== undefined) return { end: toInstant(trial_end, 'trial_end') };
  return trial_days === undefined ? null : { days: trial_days };
};
