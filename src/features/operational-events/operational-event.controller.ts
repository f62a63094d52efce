import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AnswerPage } from '../../http/answers';
import { Caller, Requires } from '../../http/decorators';
import type { Page } from '../../http/pagination';
import type { Principal } from '../../http/request-facts';
import { ListOperationalEventsQuery, OperationalEvent } from './operational-event.dto';
import { ListOperationalEvents } from './operational-event.queries';

@ApiTags('Destinations')
@Controller('v1/operational_events')
export class OperationalEventController {
  constructor(private readonly queries: QueryBus) {}

  /** Destinations that fail, were disabled or enabled, and replays that ended; newest first. */
  @Get()
  @Requires('destinations:read')
  @AnswerPage(OperationalEvent)
  list(
    @Caller() { scope }: Principal,
    @Query() query: ListOperationalEventsQuery,
  ): Promise<Page<OperationalEvent>> {
    return this.queries.execute(new ListOperationalEvents(scope, query));
  }
}
