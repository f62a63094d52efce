import { Module } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Config } from '../../config/config';
import { AddressGuard } from '../../delivery/webhook/address-guard';
import { LocalListeners } from '../../delivery/webhook/local-listeners';
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
import { UrlPolicy } from '../../features/destinations/url-policy';

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
    {
      provide: DestinationDirectory,
      inject: [EventStoreConnection, MasterKey, Clock],
      useFactory: (connection: EventStoreConnection, masterKey: MasterKey, clock: Clock) =>
        new DestinationDirectory({ connection, masterKey, clock }),
    },
    {
      provide: Destinations,
      inject: [DestinationDirectory, Aggregates, EventStoreConnection, Clock],
      useFactory: (
        directory: DestinationDirectory,
        aggregates: Aggregates,
        connection: EventStoreConnection,
        clock: Clock,
      ) => new DirectoryDestinations({ directory, aggregates, connection, clock }),
    },
    {
      provide: UrlPolicy,
      inject: [Config, AddressGuard, LocalListeners],
      useFactory: (
        { allowInsecureDestinations }: Config,
        guard: AddressGuard,
        listeners: LocalListeners,
      ) => new UrlPolicy(allowInsecureDestinations, guard, listeners),
    },
    {
      provide: DestinationRules,
      inject: [EventCatalogue, SchemaVersions, UrlPolicy],
      useFactory: (...parts: ConstructorParameters<typeof DestinationRules>) =>
        new DestinationRules(...parts),
    },
    {
      provide: DestinationPlaces,
      inject: [Aggregates, DestinationDirectory, TenantDirectory],
      useFactory: (...parts: ConstructorParameters<typeof DestinationPlaces>) =>
        new DestinationPlaces(...parts),
    },
    {
      provide: DestinationWriter,
      inject: [Aggregates, DestinationDirectory, MasterKey],
      useFactory: (...parts: ConstructorParameters<typeof DestinationWriter>) =>
        new DestinationWriter(...parts),
    },
    {
      provide: DestinationActions,
      inject: [CommandBus, QueryBus, SchemaVersions],
      useFactory: (...parts: ConstructorParameters<typeof DestinationActions>) =>
        new DestinationActions(...parts),
    },
    ...handlers,
  ],
  exports: [Destinations, DestinationDirectory],
})
export class DestinationModule {}
