import { Module } from '@nestjs/common';
import { DeliveryModule } from './delivery.module';
import { ReadModelsModule } from './read-models.module';
import { EventTypeController } from '../../features/events/event-type.controller';
import { EventController } from '../../features/events/event.controller';
import { CountEventsHandler } from '../../features/events/event-count.queries';
import { GetEventHandler, ListEventsHandler } from '../../features/events/event.queries';
import { SubscriberEventController } from '../../features/events/subscriber-event.controller';
import {
  GetTimelineHandler,
  ListEventsAfterHandler,
} from '../../features/events/subscriber-event.queries';

@Module({
  imports: [DeliveryModule, ReadModelsModule],
  controllers: [EventController, EventTypeController, SubscriberEventController],
  providers: [
    CountEventsHandler,
    GetEventHandler,
    ListEventsHandler,
    GetTimelineHandler,
    ListEventsAfterHandler,
  ],
})
export class EventModule {}
