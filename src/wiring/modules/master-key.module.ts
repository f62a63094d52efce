import { Module } from '@nestjs/common';
import { provideBy } from './provide';
import { Config } from '../../config/config';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { KeyRing } from '../../event-store/key-ring';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { HttpModule } from './http.module';
import { IdempotencyStore } from '../../http/pipeline/idempotency';
import { Clock } from '../../kernel/time';
import { Projector } from '../../projections/projector';
import { ProjectionsModule } from './projections.module';
import { DestinationDirectory } from '../../directories/destination.directory';
import { DestinationModule } from './destination.module';
import { MasterKeyController } from '../../features/master-key/master-key.controller';
import { Rewrapper, type SealedPlace } from '../../services/key-rotation/rewrapper';
import {
  createDataKeysPlace,
  createSigningSecretsPlace,
} from '../../services/key-rotation/sealed-places';

/**
 * Time after which nothing more is stored under the old key. Another process reads at least every 4
 * s which key is current before it wraps something, and gives up an append after 16 s.
 */
const OLD_KEY_USABLE_FOR_MS = 22_000;

@Module({
  imports: [EventStoreModule, ProjectionsModule, HttpModule, DestinationModule],
  controllers: [MasterKeyController],
  providers: [
    provideBy(
      Rewrapper,
      {
        ring: KeyRing,
        connection: EventStoreConnection,
        aggregates: Aggregates,
        vault: Vault,
        masterKey: MasterKey,
        directory: DestinationDirectory,
        idempotency: IdempotencyStore,
        projector: Projector,
        clock: Clock,
        config: Config,
      },
      ({
        ring,
        connection,
        aggregates,
        vault,
        masterKey,
        directory,
        idempotency,
        projector,
        clock,
        config: { eventStoreUrl },
      }) => {
        const responses: SealedPlace = {
          name: 'stored responses',
          rewrap: (signal) => idempotency.rewrap(signal),
        };
        return new Rewrapper({
          ring,
          places: [
            createDataKeysPlace({ connection, vault, masterKey, clock }),
            createSigningSecretsPlace({ aggregates, directory, masterKey, clock }),
            responses,
          ],
          clock,
          isProjector: () => projector.isOwner(),
          // The embedded store has only one process.
          oldKeyUsableForMs: eventStoreUrl === undefined ? 0 : OLD_KEY_USABLE_FOR_MS,
        });
      },
    ),
  ],
  exports: [Rewrapper],
})
export class MasterKeyModule {}
