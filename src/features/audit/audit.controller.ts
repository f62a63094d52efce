import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ForOperator, Requires } from '../../http/pipeline/audience';
import { AnswerPage, Does } from '../../http/pipeline/answers';
import { Caller } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { AuditItem, ListAuditLogQuery, ListOperatorAuditLogQuery } from './audit.dto';
import { AuditLog } from './audit.queries';

const WHAT_IT_HOLDS =
  'Every change that a key, an operator or a member asked for, in the environment of the key, and views of personal data, exports and previews by an operator. What the service does by itself (renewals, timers, deliveries) stands in the timeline of the subscriber. Matters of the tenant itself, such as its settings, are shown to live keys. Kept for 400 days; an erasure removes nothing here, because no item holds a personal value.';

@ApiTags('Audit')
@Controller('v1/audit_log')
export class AuditController {
  constructor(private readonly log: AuditLog) {}

  @Get()
  @Does('Lists who did what, from where and in which request, newest first.', WHAT_IT_HOLDS)
  @Requires('audit_log:read')
  @AnswerPage(AuditItem)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListAuditLogQuery,
  ): Promise<Page<AuditItem>> {
    return this.log.listOf(scope, query);
  }
}

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1/audit_log')
export class OperatorAuditController {
  constructor(private readonly log: AuditLog) {}

  @Get()
  @Does(
    'Lists who did what, over all tenants, newest first.',
    'Exports, previews and other views of personal data by an operator are in it.',
  )
  @AnswerPage(AuditItem)
  list(@Query() query: ListOperatorAuditLogQuery): Promise<Page<AuditItem>> {
    return this.log.listAll(query);
  }
}
