import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '../../kernel/json';
import { Answer, AnswerPage, Does } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { Envelope } from '../../domain/schema/envelope';
import { CountEvents } from './event-count.queries';
import { CountEventsQuery, EventCounts, ListEventsQuery } from './event.dto';
import { GetEvent, ListEvents } from './event.queries';

@ApiTags('Events')
@Controller('v1/events')
export class EventController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Does(
    'Lists the events of the environment, newest first.',
    'With `order=asc` the oldest is first. To receive every new event, use webhooks: a program that polls can miss some (see the chapter "Poll for events").',
  )
  @Requires('events:read')
  @AnswerPage(Envelope)
  list(@Caller() caller: Principal, @Query() query: ListEventsQuery): Promise<Page<JsonObject>> {
    return this.queries.execute(new ListEvents(caller, query));
  }

  @Get('counts')
  @Requires('events:read')
  @Does('Counts the events of the environment per hour, day or month.')
  @Answer(EventCounts)
  counts(@Caller() { scope }: Principal, @Query() query: CountEventsQuery): Promise<EventCounts> {
    return this.queries.execute(new CountEvents(scope, query));
  }

  @Get(':eventId')
  @Requires('events:read')
  @Answer(Envelope)
  get(@Caller() caller: Principal, @Param('eventId') id: string): Promise<JsonObject> {
    return this.queries.execute(new GetEvent(caller, id));
  }
}
