import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../delivery/delivery.module';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { EventTypeController } from './event-type.controller';
import { EventController } from './event.controller';
import { CountEventsHandler } from './event-count.queries';
import { GetEventHandler, ListEventsHandler } from './event.queries';
import { SubscriberEventController } from './subscriber-event.controller';
import { GetTimelineHandler, ListEventsAfterHandler } from './subscriber-event.queries';

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
