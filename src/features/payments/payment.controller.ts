import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant } from '../../http/pipeline/decorators';
import { toInstant } from '../../http/lists/list-query';
import { toFailure, ProviderOutcomeBody } from '../../http/pipeline/outcome';
import type { Page } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import type { Principal } from '../../http/pipeline/request-facts';
import type { TenantContext } from '../../kernel/scope';
import { DisputePayment, ReportAttempt, RetryPayment } from './payment.commands';
import { Attempt, DisputeBody, ListAttemptsQuery, ListPaymentsQuery } from './payment.dto';
import { Payment } from '../../domain/billing/payment.events';
import { GetPayment, ListAttempts, ListPayments } from './payment.queries';

@ApiTags('Payments')
@Controller('v1/payments')
export class PaymentController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Does('Lists payments, newest first.')
  @Requires('payments:read')
  @AnswerPage(Payment)
  list(@Caller() { scope }: Principal, @Query() query: ListPaymentsQuery): Promise<Page<Payment>> {
    return this.queries.execute(new ListPayments(scope, query));
  }

  @Get(':paymentId')
  @Does(
    'Shows a payment.',
    'The lines say what the amount is made of. While a payment is retried, its status is `pending`.',
  )
  @Requires('payments:read')
  @Answer(Payment)
  get(@Caller() { scope }: Principal, @Param('paymentId') id: string): Promise<Versioned<Payment>> {
    return this.queries.execute(new GetPayment(scope, id));
  }

  @Get(':paymentId/attempts')
  @Does('Lists the attempts of a payment, newest first.')
  @Requires('payments:read')
  @AnswerPage(Attempt)
  attempts(
    @Caller() { scope }: Principal,
    @Param('paymentId') id: string,
    @Query() query: ListAttemptsQuery,
  ): Promise<Page<Attempt>> {
    return this.queries.execute(new ListAttempts(scope, id, query));
  }

  @Post(':paymentId/attempts')
  @Refuses('invalid_state_transition', 'subscriber_erased')
  @Does(
    'Reports what your payment provider did.',
    'This is your reply to the event `payment.due`: it says whether the amount was collected. In test environments it ends a charge that `pm_test_pending` left open. A different outcome under a `provider_ref` that you reported before is refused with `invalid_state_transition`: give each attempt a reference of its own.',
  )
  @Requires('payments:write')
  @Answer(Payment)
  report(
    @InTenant() context: TenantContext,
    @Param('paymentId') paymentId: string,
    @Body() body: ProviderOutcomeBody,
  ): Promise<Versioned<Payment>> {
    const report = {
      paymentId,
      outcome: body.outcome,
      failure: toFailure(body),
      providerRef: body.provider_ref ?? null,
      occurredAt:
        body.occurred_at === undefined ? null : toInstant(body.occurred_at, 'occurred_at'),
    };
    return this.commands.execute(new ReportAttempt(context, report));
  }

  @Post(':paymentId/retry')
  @Refuses('invalid_state_transition', 'subscriber_erased')
  @Does('Tries an open payment again now, with the subscription’s payment method.')
  @Requires('payments:write')
  @Answer(Payment, { status: 202 })
  retry(
    @InTenant() context: TenantContext,
    @Param('paymentId') paymentId: string,
  ): Promise<Versioned<Payment>> {
    return this.commands.execute(new RetryPayment(context, paymentId));
  }

  @Post(':paymentId/disputes')
  @Refuses('invalid_state_transition')
  @Does(
    'Reports that a payment is disputed, or how the dispute ended.',
    'The payment must have succeeded. `won` and `lost` are final: reporting the same status again changes nothing, and another status is refused with the statuses of the dispute in `details` (null means not disputed). The report is accepted even after the subscriber was erased.',
  )
  @Requires('payments:write')
  @Answer(Payment)
  dispute(
    @InTenant() context: TenantContext,
    @Param('paymentId') paymentId: string,
    @Body() { dispute_status }: DisputeBody,
  ): Promise<Versioned<Payment>> {
    return this.commands.execute(new DisputePayment(context, paymentId, dispute_status));
  }
}
