import { Module } from '@nestjs/common';
import { DeliveryModule as EngineModule } from '../../delivery/delivery.module';
import { EventStoreModule } from '../../event-store/event-store.module';
import { DestinationDirectory } from '../../directories/destination.directory';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { DestinationModule } from '../destinations/destination.module';
import { RetryDeliveryHandler } from './delivery.commands';
import { ListAllDeliveriesHandler } from './all-deliveries.queries';
import {
  AllDeliveriesController,
  DeliveryController,
  EventDeliveryController,
} from './delivery.controller';
import {
  Deliveries,
  GetDeliveryHandler,
  ListDeliveriesHandler,
  ListEventDeliveriesHandler,
} from './delivery.queries';
import {
  DestinationHealthController,
  FailingDestinationController,
} from './destination-health.controller';
import { DestinationHealthReader } from './destination-health.queries';

@Module({
  imports: [EngineModule, EventStoreModule, ReadModelsModule, DestinationModule],
  controllers: [
    DeliveryController,
    AllDeliveriesController,
    EventDeliveryController,
    DestinationHealthController,
    FailingDestinationController,
  ],
  providers: [
    {
      provide: Deliveries,
      inject: [Database],
      useFactory: (database: Database) => new Deliveries(database),
    },
    {
      provide: DestinationHealthReader,
      inject: [Database, DestinationDirectory, Clock],
      useFactory: (...parts: ConstructorParameters<typeof DestinationHealthReader>) =>
        new DestinationHealthReader(...parts),
    },
    ListDeliveriesHandler,
    ListAllDeliveriesHandler,
    GetDeliveryHandler,
    ListEventDeliveriesHandler,
    RetryDeliveryHandler,
  ],
  exports: [DestinationHealthReader],
})
export class DeliveryLogModule {}
