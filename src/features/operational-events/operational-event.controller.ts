import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AnswerPage, Does } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { ListOperationalEventsQuery, OperationalEvent } from './operational-event.dto';
import { ListOperationalEvents } from './operational-event.queries';

@ApiTags('Destinations')
@Controller('v1/operational_events')
export class OperationalEventController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Does(
    'Lists operational events, newest first.',
    'They report that a destination fails, was disabled or enabled, and that a replay ended.',
  )
  @Requires('destinations:read')
  @AnswerPage(OperationalEvent)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListOperationalEventsQuery,
  ): Promise<Page<OperationalEvent>> {
    return this.queries.execute(new ListOperationalEvents(scope, query));
  }
}
