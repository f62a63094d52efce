import { Module } from '@nestjs/common';
import { Config } from '../../config/config';
import { EventStoreModule } from '../../event-store/event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { IdempotencyStore } from './idempotency';
import { RateLimiter } from './rate-limit';
import { SharedRateLimiter } from './shared-rate-limit';

@Module({
  imports: [EventStoreModule, ReadModelsModule],
  providers: [
    {
      provide: IdempotencyStore,
      inject: [Database, MasterKey, Vault],
      useFactory: (database: Database, key: MasterKey, vault: Vault) =>
        new IdempotencyStore(database, key, vault),
    },
    {
      provide: RateLimiter,
      inject: [Config],
      useFactory: ({ concurrentRequestsPerKey }: Config) =>
        new RateLimiter(concurrentRequestsPerKey),
    },
    {
      provide: SharedRateLimiter,
      inject: [Database],
      useFactory: (database: Database) => new SharedRateLimiter(database),
    },
  ],
  exports: [IdempotencyStore, RateLimiter, SharedRateLimiter],
})
export class HttpModule {}
