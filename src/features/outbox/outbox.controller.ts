import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AnswerPage, Does } from '../../http/pipeline/answers';
import { Requires, TestOnly } from '../../http/pipeline/audience';
import { Caller } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { ListOutboxQuery, OutboxMessage } from './outbox.dto';
import { ListOutbox } from './outbox.queries';

@ApiTags('Test helpers')
@Controller('v1/test_helpers/outbox')
export class OutboxController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Does(
    'Lists the e-mails of the test environment, newest first.',
    'E-mails of a test environment are stored here instead of being sent.',
  )
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
