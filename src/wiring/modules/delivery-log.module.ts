import { Module } from '@nestjs/common';
import { provide } from '../provide';
import { DeliveryModule as EngineModule } from './delivery.module';
import { EventStoreModule } from './event-store.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { DestinationModule } from './destination.module';
import { RetryDeliveryHandler } from '../../features/deliveries/delivery.commands';
import {
  DeliveryController,
  EventDeliveryController,
} from '../../features/deliveries/delivery.controller';
import {
  Deliveries,
  GetDeliveryHandler,
  ListDeliveriesHandler,
  ListEventDeliveriesHandler,
} from '../../features/deliveries/delivery.queries';

@Module({
  imports: [EngineModule, EventStoreModule, ReadModelsModule, DestinationModule],
  controllers: [DeliveryController, EventDeliveryController],
  providers: [
    provide(Deliveries, Database),
    ListDeliveriesHandler,
    GetDeliveryHandler,
    ListEventDeliveriesHandler,
    RetryDeliveryHandler,
  ],
})
export class DeliveryLogModule {}
