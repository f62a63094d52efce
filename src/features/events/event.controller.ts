import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '../../event-store/stored-event';
import { Answer, AnswerPage } from '../../http/answers';
import { Caller, Requires } from '../../http/decorators';
import type { Page } from '../../http/pagination';
import type { Principal } from '../../http/request-facts';
import { Envelope } from '../envelope';
import { ListEventsQuery } from './event.dto';
import { GetEvent, ListEvents } from './event.queries';

@ApiTags('Events')
@Controller('v1/events')
export class EventController {
  constructor(private readonly queries: QueryBus) {}

  /** Every event of the environment, newest first; `order=asc` for pollers. */
  @Get()
  @Requires('events:read')
  @AnswerPage(Envelope)
  list(@Caller() caller: Principal, @Query() query: ListEventsQuery): Promise<Page<JsonObject>> {
    return this.queries.execute(new ListEvents(caller, query));
  }

  @Get(':eventId')
  @Requires('events:read')
  @Answer(Envelope)
  get(@Caller() caller: Principal, @Param('eventId') id: string): Promise<JsonObject> {
    return this.queries.execute(new GetEvent(caller, id));
  }
}
