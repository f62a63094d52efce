import { Module } from '@nestjs/common';
import { Runtime } from '../runtime';
import { Aggregates } from './aggregates';
import { CategoryLinks } from './category-links';
import { EventCatalogue } from './catalogue';
import { Claims } from './claims';
import { EventStoreConnection } from './connection';
import { MasterKey } from './master-key';
import { Vault } from './vault';

@Module({
  providers: [
    {
      provide: EventStoreConnection,
      inject: [Runtime],
      useFactory: ({ eventStoreUrl }: Runtime) => new EventStoreConnection(eventStoreUrl),
    },
    {
      provide: CategoryLinks,
      inject: [EventStoreConnection],
      useFactory: (connection: EventStoreConnection) => new CategoryLinks(connection),
    },
    {
      provide: MasterKey,
      inject: [Runtime],
      useFactory: ({ masterKey }: Runtime) => new MasterKey(masterKey),
    },
    {
      provide: Vault,
      inject: [EventStoreConnection, MasterKey],
      useFactory: (connection: EventStoreConnection, key: MasterKey) => new Vault(connection, key),
    },
    {
      provide: Aggregates,
      inject: [EventStoreConnection, Vault, EventCatalogue],
      useFactory: (connection: EventStoreConnection, vault: Vault, catalogue: EventCatalogue) =>
        new Aggregates(connection, vault, catalogue),
    },
    {
      provide: Claims,
      inject: [Aggregates, MasterKey],
      useFactory: (aggregates: Aggregates, key: MasterKey) => new Claims(aggregates, key),
    },
  ],
  exports: [EventStoreConnection, CategoryLinks, MasterKey, Vault, Aggregates, Claims],
})
export class EventStoreModule {}
