import { Module } from '@nestjs/common';
import { provide } from './provide';
import { DeliveryModule as EngineModule } from './delivery.module';
import { EventStoreModule } from './event-store.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { DestinationModule } from './destination.module';
import { RetryDeliveryHandler } from '../../features/deliveries/delivery.commands';
import { ListAllDeliveriesHandler } from '../../features/deliveries/all-deliveries.queries';
import {
  AllDeliveriesController,
  DeliveryController,
  EventDeliveryController,
} from '../../features/deliveries/delivery.controller';
import {
  Deliveries,
  GetDeliveryHandler,
  ListDeliveriesHandler,
  ListEventDeliveriesHandler,
} from '../../features/deliveries/delivery.queries';
import {
  DestinationHealthController,
  FailingDestinationController,
} from '../../features/deliveries/destination-health.controller';
import { DestinationHealthReader } from '../../features/deliveries/destination-health.queries';
import { StoredDeliverables } from '../../delivery/model/stored-deliverables';
import { UnattemptedDeliveries } from '../../features/deliveries/unattempted-deliveries';
import { WaitingReasons } from '../../features/deliveries/waiting-reasons';
import { DestinationShares } from '../../delivery/live/shares';
import { DestinationDirectory } from '../../directories/destination.directory';
import { Clock } from '../../kernel/time';

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
    provide(Deliveries, Database),
    provide(WaitingReasons, Database, DestinationDirectory, Clock),
    provide(UnattemptedDeliveries, StoredDeliverables, DestinationDirectory, Clock),
    provide(DestinationHealthReader, Database, DestinationDirectory, DestinationShares, Clock),
    ListDeliveriesHandler,
    ListAllDeliveriesHandler,
    GetDeliveryHandler,
    ListEventDeliveriesHandler,
    RetryDeliveryHandler,
  ],
})
export class DeliveryLogModule {}
