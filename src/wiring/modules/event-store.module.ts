import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
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

/** This time is far shorter than a rotation: see `Rewrapper`. */
const KEY_PROOF_VALID_MS = 4_000;

@Module({
  providers: [
    provideBy(
      EventStoreConnection,
      { runtime: Runtime },
      ({ runtime: { eventStoreUrl, prepareEventStoreClient } }) =>
        new EventStoreConnection(eventStoreUrl, prepareEventStoreClient),
    ),
    provide(CategoryLinks, EventStoreConnection),
    provideBy(
      MasterKey,
      { runtime: Runtime },
      ({
        runtime: {
          masterKeys: [first, ...others],
        },
      }) => new MasterKey(first, ...others),
    ),
    provideBy(
      KeyRing,
      { connection: EventStoreConnection, masterKey: MasterKey, runtime: Runtime, clock: Clock },
      ({ connection, masterKey, runtime, clock }) =>
        new KeyRing({
          connection,
          masterKey,
          now: () => clock.now(),
          saveKeys: runtime.saveMasterKeys,
          // Only the processes of one process group can share the embedded store.
          proofValidForMs:
            runtime.storeMaintenance === null || runtime.siblings !== null
              ? KEY_PROOF_VALID_MS
              : Infinity,
        }),
    ),
    provide(Vault, EventStoreConnection, MasterKey),
    provide(Aggregates, EventStoreConnection, Vault, EventCatalogue),
    provide(AuditTrail, EventStoreConnection, Clock),
    provide(Claims, Aggregates, MasterKey),
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
