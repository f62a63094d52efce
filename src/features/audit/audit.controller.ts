import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ForOperator, Requires } from '../../http/pipeline/audience';
import { AnswerPage, Does } from '../../http/pipeline/answers';
import { Caller } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { AuditItem, ListAuditLogQuery, ListOperatorAuditLogQuery } from './audit.dto';
import { AuditLog } from './audit.queries';

const AUDIT_LOG_CONTENT =
  'It lists every change that a key, an operator or a member made in the environment of the key, and each time an operator viewed personal data, exported or previewed. Actions of the service itself (renewals, timers, deliveries) are in the timeline of the subscriber. Changes of the tenant itself, such as its settings, members and keys, are shown to the keys of both environments; what an operator did to a destination is shown in its environment only. Items are kept for 400 days. An erasure removes nothing here, because no item contains personal data.';

@ApiTags('Audit')
@Controller('v1/audit_log')
export class AuditController {
  constructor(private readonly log: AuditLog) {}

  @Get()
  @Does('Lists who did what, from where and in which request, newest first.', AUDIT_LOG_CONTENT)
  @Requires('audit_log:read')
  @AnswerPage(AuditItem)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListAuditLogQuery,
  ): Promise<Page<AuditItem>> {
    return this.log.listInScope(scope, query);
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
    'It includes each time an operator exported, previewed or otherwise viewed personal data.',
  )
  @AnswerPage(AuditItem)
  list(@Query() query: ListOperatorAuditLogQuery): Promise<Page<AuditItem>> {
    return this.log.listAll(query);
  }
}
