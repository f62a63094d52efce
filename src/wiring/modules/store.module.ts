import { Module } from '@nestjs/common';
import { provide, provideBy, provideWithParts } from './provide';
import { resolve } from 'node:path';
import { Config } from '../../config/config';
import { Runtime } from '../../config/runtime';
import { DeliveryModule } from './delivery.module';
import { MailFiles } from '../../delivery/mail/mail-files';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Vault } from '../../event-store/vault';
import { HttpModule } from './http.module';
import { IdempotencyStore } from '../../http/pipeline/idempotency';
import { Clock, toMillis } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { ErasureCheck } from '../../services/erasure/erasure-check';
import { Backups } from '../../services/store-maintenance/backups';
import { DailyScavenge } from '../../services/store-maintenance/daily-scavenge';
import { StoreMaintenance } from '../../config/store-maintenance';
import { RemoteStoreMaintenance } from '../../services/store-maintenance/store-maintenance';
import { StoreController } from '../../features/store/store.controller';

@Module({
  imports: [EventStoreModule, ReadModelsModule, DeliveryModule, HttpModule],
  controllers: [StoreController],
  providers: [
    provideBy(
      StoreMaintenance,
      { runtime: Runtime, connection: EventStoreConnection, clock: Clock },
      ({ runtime: { storeMaintenance }, connection, clock }) =>
        storeMaintenance ?? new RemoteStoreMaintenance(connection, () => toMillis(clock.now())),
    ),
    provideBy(
      Backups,
      { config: Config, runtime: Runtime, maintenance: StoreMaintenance, clock: Clock },
      ({ config: { dataDir, operatorToken }, runtime: { saveMasterKeys }, maintenance, clock }) =>
        new Backups({
          maintenance,
          dataDir: resolve(dataDir),
          keepsMasterKey: saveMasterKeys !== null,
          keepsOperatorToken: operatorToken === undefined,
          nowMs: () => toMillis(clock.now()),
        }),
    ),
    provideWithParts(ErasureCheck, {
      aggregates: Aggregates,
      connection: EventStoreConnection,
      vault: Vault,
      idempotency: IdempotencyStore,
      mailFiles: MailFiles,
      database: Database,
    }),
    provide(DailyScavenge, Database, StoreMaintenance),
  ],
  exports: [DailyScavenge],
})
export class StoreModule {}
