import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answer, AnswerPage, Does, Refuses } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller, InTenant } from '../../http/pipeline/decorators';
import { toInstant } from '../../http/lists/list-query';
import type { Page } from '../../http/lists/pagination';
import { Versioned } from '../../http/pipeline/presentation';
import type { Principal } from '../../http/pipeline/request-facts';
import type { Currency } from '../../kernel/money';
import type { TenantContext } from '../../kernel/scope';
import { GrantCredit, VoidCredit } from './credit.commands';
import {
  CreditTransaction,
  GrantCreditBody,
  ListCreditsQuery,
  ListTransactionsQuery,
} from './credit.dto';
import { Credit } from '../../domain/billing/credit.events';
import { GetCredit, ListCredits, ListCreditTransactions } from './credit.queries';

@ApiTags('Credits')
@Controller('v1')
export class CreditController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('subscribers/:subscriberId/credits')
  @Refuses('subscriber_erased')
  @Does(
    'Grants a credit to a subscriber.',
    'Credits are used before the payment method is charged; the one that expires first is used first.',
  )
  @Requires('credits:write')
  @Answer(Credit, { status: 201 })
  grant(
    @InTenant() context: TenantContext,
    @Param('subscriberId') subscriberId: string,
    @Body() body: GrantCreditBody,
  ): Promise<Versioned<Credit>> {
    const fields = {
      subscriberId,
      amount: body.amount,
      currency: (body.currency ?? null) as Currency | null,
      category: body.category ?? ('goodwill' as const),
      expiresAt: body.expires_at == null ? null : toInstant(body.expires_at, 'expires_at'),
      note: body.note ?? null,
    };
    return this.commands.execute(new GrantCredit(context, fields));
  }

  @Get('subscribers/:subscriberId/credits')
  @Does("Lists a subscriber's credits, newest first.")
  @Requires('credits:read')
  @AnswerPage(Credit)
  list(
    @Caller() { scope }: Principal,
    @Param('subscriberId') subscriberId: string,
    @Query() query: ListCreditsQuery,
  ): Promise<Page<Credit>> {
    return this.queries.execute(new ListCredits(scope, subscriberId, query));
  }

  @Get('credits/:creditId')
  @Does('Shows a credit.')
  @Requires('credits:read')
  @Answer(Credit)
  get(@Caller() { scope }: Principal, @Param('creditId') id: string): Promise<Versioned<Credit>> {
    return this.queries.execute(new GetCredit(scope, id));
  }

  @Get('credits/:creditId/transactions')
  @Does("Shows a credit's ledger, newest first.")
  @Requires('credits:read')
  @AnswerPage(CreditTransaction)
  transactions(
    @Caller() { scope }: Principal,
    @Param('creditId') id: string,
    @Query() query: ListTransactionsQuery,
  ): Promise<Page<CreditTransaction>> {
    return this.queries.execute(new ListCreditTransactions(scope, id, query));
  }

  @Post('credits/:creditId/void')
  @Refuses('invalid_state_transition', 'subscriber_erased')
  @Does('Takes back what is left of a credit.')
  @Requires('credits:write')
  @Answer(Credit)
  void(
    @InTenant() context: TenantContext,
    @Param('creditId') id: string,
  ): Promise<Versioned<Credit>> {
    return this.commands.execute(new VoidCredit(context, id));
  }
}
