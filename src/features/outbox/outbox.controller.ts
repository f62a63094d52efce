import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AnswerPage } from '../../http/answers';
import { Caller, Requires, TestOnly } from '../../http/decorators';
import type { Page } from '../../http/pagination';
import type { Principal } from '../../http/request-facts';
import { ListOutboxQuery, OutboxMessage } from './outbox.dto';
import { ListOutbox } from './outbox.queries';

@ApiTags('Test helpers')
@Controller('v1/test_helpers/outbox')
export class OutboxController {
  constructor(private readonly queries: QueryBus) {}

  /** E-mails of the test environment, newest first. They are never really sent. */
  @Get()
  @TestOnly()
  @Requires('test_helpers:write', 'pii:read')
  @AnswerPage(OutboxMessage)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListOutboxQuery,
  ): Promise<Page<OutboxMessage>> {
    return this.queries.execute(new ListOutbox(scope, query));
  }
}
