import { Module } from '@nestjs/common';
import { Runtime } from '../config/runtime';
import { Clock } from '../kernel/time';
import { Aggregates } from './aggregates';
import { AuditTrail } from './audit-trail';
import { CategoryLinks } from './category-links';
import { EventCatalogue } from './catalogue';
import { Claims } from './claims';
import { EventStoreConnection } from './connection';
import { KeyRing } from './key-ring';
import { MasterKey } from './master-key';
import { Vault } from './vault';

/** Far shorter than a rotation lasts: see `Rewrapper`. */
const KEY_PROVEN_FOR_MS = 4_000;

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
      useFactory: ({ masterKeys: [first, ...others] }: Runtime) => new MasterKey(first, ...others),
    },
    {
      provide: KeyRing,
      inject: [EventStoreConnection, MasterKey, Runtime, Clock],
      useFactory: (
        connection: EventStoreConnection,
        masterKey: MasterKey,
        { keepMasterKeys: keep, storeMaintenance, siblings }: Runtime,
        clock: Clock,
      ) =>
        new KeyRing({
          connection,
          masterKey,
          now: () => clock.now(),
          keep,
          // A process without siblings is the only one that has the embedded store.
          provenForMs:
            storeMaintenance === null || siblings !== null ? KEY_PROVEN_FOR_MS : Infinity,
        }),
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
      provide: AuditTrail,
      inject: [EventStoreConnection, Clock],
      useFactory: (connection: EventStoreConnection, clock: Clock) =>
        new AuditTrail(connection, clock),
    },
    {
      provide: Claims,
      inject: [Aggregates, MasterKey],
      useFactory: (aggregates: Aggregates, key: MasterKey) => new Claims(aggregates, key),
    },
  ],
  exports: [
    EventStoreConnection,
    CategoryLinks,
    MasterKey,
    KeyRing,
    Vault,
    Aggregates,
    AuditTrail,
    Claims,
  ],
})
export class EventStoreModule {}
