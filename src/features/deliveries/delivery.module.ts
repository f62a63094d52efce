import { Module } from '@nestjs/common';
import { DeliveryModule as EngineModule } from '../../delivery/delivery.module';
import { EventStoreModule } from '../../event-store/event-store.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { DestinationModule } from '../destinations/destination.module';
import { RetryDeliveryHandler } from './delivery.commands';
import { DeliveryController, EventDeliveryController } from './delivery.controller';
import {
  Deliveries,
  GetDeliveryHandler,
  ListDeliveriesHandler,
  ListEventDeliveriesHandler,
} from './delivery.queries';

@Module({
  imports: [EngineModule, EventStoreModule, ReadModelsModule, DestinationModule],
  controllers: [DeliveryController, EventDeliveryController],
  providers: [
    {
      provide: Deliveries,
      inject: [Database],
      useFactory: (database: Database) => new Deliveries(database),
    },
    ListDeliveriesHandler,
    GetDeliveryHandler,
    ListEventDeliveriesHandler,
    RetryDeliveryHandler,
  ],
})
export class DeliveryLogModule {}
