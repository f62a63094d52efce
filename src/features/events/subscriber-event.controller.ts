import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { JsonObject } from '../../kernel/json';
import { AnswerPage, Does } from '../../http/pipeline/answers';
import { Requires } from '../../http/pipeline/audience';
import { Caller } from '../../http/pipeline/decorators';
import type { Page } from '../../http/lists/pagination';
import type { Principal } from '../../http/pipeline/request-facts';
import { Envelope } from '../../domain/schema/envelope';
import { EventsAfterQuery, TimelineItem, TimelineQuery } from './event.dto';
import { GetTimeline, ListEventsAfter } from './subscriber-event.queries';

@ApiTags('Subscribers')
@Controller('v1/subscribers/:subscriberId')
export class SubscriberEventController {
  constructor(private readonly queries: QueryBus) {}

  @Get('timeline')
  @Does('Shows what happened to a subscriber, newest first.', '`order=asc` reverses it.')
  @Requires('subscribers:read')
  @AnswerPage(TimelineItem)
  timeline(
    @Caller() caller: Principal,
    @Param('subscriberId') id: string,
    @Query() query: TimelineQuery,
  ): Promise<Page<TimelineItem>> {
    return this.queries.execute(new GetTimeline(caller, id, query));
  }

  @Get('events')
  @Does(
    "Lists a subscriber's events by sequence, oldest first.",
    'A receiver that sees a gap in `sequence` reads the missing events here.',
  )
  @Requires('events:read')
  @AnswerPage(Envelope)
  events(
    @Caller() caller: Principal,
    @Param('subscriberId') id: string,
    @Query() query: EventsAfterQuery,
  ): Promise<Page<JsonObject>> {
    return this.queries.execute(new ListEventsAfter(caller, id, query));
  }
}
