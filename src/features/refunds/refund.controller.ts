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
import { TenantDirectory } from '../../directories/tenant.directory';
import type { TenantContext } from '../../kernel/scope';
import { CreateRefund, ReportRefund } from './refund.commands';
import { CreateRefundBody, ListRefundsQuery } from './refund.dto';
import { Refund } from '../../domain/billing/refund.events';
import { GetRefund, ListRefunds } from './refund.queries';

@ApiTags('Payments')
@Controller('v1')
export class RefundController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly tenants: TenantDirectory,
  ) {}

  @Post('payments/:paymentId/refunds')
  @Refuses(
    'invalid_state_transition',
    'refund_amount_exceeds_remaining',
    'refund_limit_exceeded',
    'subscriber_erased',
  )
  @Does(
    'Refunds a payment, or a part of it.',
    'The subscription does not change. The part that credits paid is returned as credit. With your own provider the refund is `pending` until you report its outcome. A payment whose dispute is lost is not refunded, because the bank has already returned the money. Refund before you erase the subscriber: afterwards it is refused.',
  )
  @Requires('refunds:write')
  @Answer(Refund, { status: 201 })
  create(
    @InTenant() context: TenantContext,
    @Caller() { role, tenant }: Principal,
    @Param('paymentId') paymentId: string,
    @Body() body: CreateRefundBody,
  ): Promise<Versioned<Refund>> {
    const request = {
      paymentId,
      amount: body.amount ?? null,
      reason: body.reason,
      note: body.note ?? null,
      ticketId: body.ticket_id ?? null,
      destination: body.destination ?? ('original' as const),
      amountMax:
        role === 'support' ? this.tenants.require(tenant.id).settings.support_refund_limit : null,
    };
    return this.commands.execute(new CreateRefund(context, request));
  }

  @Get('refunds')
  @Does('Lists refunds, newest first.')
  @Requires('payments:read')
  @AnswerPage(Refund)
  list(@Caller() { scope }: Principal, @Query() query: ListRefundsQuery): Promise<Page<Refund>> {
    return this.queries.execute(new ListRefunds(scope, query));
  }

  @Get('refunds/:refundId')
  @Does('Shows a refund.')
  @Requires('payments:read')
  @Answer(Refund)
  get(@Caller() { scope }: Principal, @Param('refundId') id: string): Promise<Versioned<Refund>> {
    return this.queries.execute(new GetRefund(scope, id));
  }

  @Post('refunds/:refundId/outcome')
  @Refuses('invalid_state_transition')
  @Does(
    'Reports what your payment provider did about a pending refund.',
    'The report is accepted even after the subscriber was erased.',
  )
  @Requires('refunds:write')
  @Answer(Refund)
  report(
    @InTenant() context: TenantContext,
    @Param('refundId') refundId: string,
    @Body() body: ProviderOutcomeBody,
  ): Promise<Versioned<Refund>> {
    const report = {
      refundId,
      outcome: body.outcome,
      failure: toFailure(body),
      providerRef: body.provider_ref ?? null,
      occurredAt:
        body.occurred_at === undefined ? null : toInstant(body.occurred_at, 'occurred_at'),
    };
    return this.commands.execute(new ReportRefund(context, report));
  }
}
