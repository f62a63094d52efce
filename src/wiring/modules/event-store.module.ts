import { Module } from '@nestjs/common';
import { Runtime } from '../../config/runtime';
import { Clock } from '../../kernel/time';
import { Aggregates } from '../../event-store/aggregates';
import { AuditTrail } from '../../event-store/audit-trail';
import { CategoryLinks } from '../../event-store/category-links';
import { EventCatalogue } from '../../event-store/catalogue';
import { Claims } from '../../event-store/claims';
import { EventStoreConnection } from '../../event-store/connection';
import { KeyRing } from '../../event-store/key-ring';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';

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
        { keepMasterKeys: keep, storeMaintenance }: Runtime,
        clock: Clock,
      ) =>
        new KeyRing({
          connection,
          masterKey,
          now: () => clock.now(),
          keep,
          // Only this process has the embedded store.
          provenForMs: storeMaintenance === null ? KEY_PROVEN_FOR_MS : Infinity,
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
