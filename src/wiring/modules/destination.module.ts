import { Module } from '@nestjs/common';
import { provide, provideBy, provideWithParts } from './provide';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeliveryModule } from './delivery.module';
import { Destinations } from '../../delivery/model/destination';
import { SchemaVersions } from '../../delivery/model/schema-versions';
import { Aggregates } from '../../event-store/aggregates';
import { EventCatalogue } from '../../event-store/catalogue';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Clock } from '../../kernel/time';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from './tenant.module';
import { DestinationPlaces } from '../../features/destinations/destination-places';
import { DestinationActions } from '../../features/destinations/destination.actions';
import {
  ChangeDestinationHandler,
  DeleteDestinationHandler,
  DestinationWriter,
  RegisterDestinationHandler,
  RestoreDestinationHandler,
  RotateSecretHandler,
} from '../../features/destinations/destination.commands';
import {
  DestinationController,
  OperatorDestinationController,
} from '../../features/destinations/destination.controller';
import { DestinationDirectory } from '../../directories/destination.directory';
import { DirectoryDestinations } from '../../services/destinations/destination.engine';
import { DestinationRules } from '../../features/destinations/destination.rules';
import {
  PreviewDeliveryHandler,
  TestDestinationHandler,
} from '../../features/destinations/destination.trial';
import { Channels } from '../../delivery/model/channel';

const handlers = [
  RegisterDestinationHandler,
  ChangeDestinationHandler,
  RotateSecretHandler,
  DeleteDestinationHandler,
  RestoreDestinationHandler,
  TestDestinationHandler,
  PreviewDeliveryHandler,
];

@Module({
  imports: [EventStoreModule, DeliveryModule, TenantModule],
  controllers: [DestinationController, OperatorDestinationController],
  providers: [
    provideWithParts(DestinationDirectory, {
      connection: EventStoreConnection,
      masterKey: MasterKey,
      clock: Clock,
    }),
    provideBy(
      Destinations,
      {
        directory: DestinationDirectory,
        aggregates: Aggregates,
        connection: EventStoreConnection,
        clock: Clock,
      },
      ({ directory, aggregates, connection, clock }) =>
        new DirectoryDestinations({ directory, aggregates, connection, clock }),
    ),
    provide(DestinationRules, EventCatalogue, SchemaVersions, Channels),
    provide(DestinationPlaces, Aggregates, DestinationDirectory, TenantDirectory),
    provide(DestinationWriter, Aggregates, DestinationDirectory, MasterKey),
    provide(DestinationActions, CommandBus, QueryBus, SchemaVersions, Clock),
    ...handlers,
  ],
  exports: [Destinations, DestinationDirectory],
})
export class DestinationModule {}
