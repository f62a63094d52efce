import { Module } from '@nestjs/common';
import { resolve } from 'node:path';
import { Config } from '../../config/config';
import { Runtime } from '../../config/runtime';
import { DeliveryModule } from './delivery.module';
import { MailFiles } from '../../delivery/mail/mail-files';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Vault } from '../../event-store/vault';
import { Clock, toMillis } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { ErasureCheck } from '../../services/erasure/erasure-check';
import { Backups } from '../../services/store-maintenance/backups';
import { DailyScavenge } from '../../services/store-maintenance/daily-scavenge';
import type { StoreMaintenance } from '../../config/store-maintenance';
import { RemoteStoreMaintenance } from '../../services/store-maintenance/store-maintenance';
import { STORE_MAINTENANCE, StoreController } from '../../features/store/store.controller';

@Module({
  imports: [EventStoreModule, ReadModelsModule, DeliveryModule],
  controllers: [StoreController],
  providers: [
    {
      provide: STORE_MAINTENANCE,
      inject: [Runtime, EventStoreConnection, Clock],
      useFactory: (
        { storeMaintenance }: Runtime,
        connection: EventStoreConnection,
        clock: Clock,
      ): StoreMaintenance =>
        storeMaintenance ?? new RemoteStoreMaintenance(connection, () => toMillis(clock.now())),
    },
    {
      provide: Backups,
      inject: [Config, Runtime, STORE_MAINTENANCE, Clock],
      useFactory: (
        { dataDir, operatorToken }: Config,
        { keepMasterKeys }: Runtime,
        maintenance: StoreMaintenance,
        clock: Clock,
      ) =>
        new Backups({
          maintenance,
          dataDir: resolve(dataDir),
          keepsMasterKey: keepMasterKeys !== null,
          keepsOperatorToken: operatorToken === undefined,
          nowMs: () => toMillis(clock.now()),
        }),
    },
    {
      provide: ErasureCheck,
      inject: [Aggregates, EventStoreConnection, Vault, MailFiles, Database],
      useFactory: (
        aggregates: Aggregates,
        connection: EventStoreConnection,
        vault: Vault,
        mailFiles: MailFiles,
        database: Database,
      ) => new ErasureCheck({ aggregates, connection, vault, mailFiles, database }),
    },
    {
      provide: DailyScavenge,
      inject: [Database, STORE_MAINTENANCE],
      useFactory: (database: Database, maintenance: StoreMaintenance) =>
        new DailyScavenge(database, maintenance),
    },
  ],
  exports: [DailyScavenge],
})
export class StoreModule {}
