import { Module } from '@nestjs/common';
import { Config } from '../../config/config';
import { EventStoreModule } from './event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { IdempotencyStore } from '../../http/pipeline/idempotency';
import { RateLimiter } from '../../http/pipeline/rate-limit';
import { SharedRateLimiter } from '../../http/pipeline/shared-rate-limit';

@Module({
  imports: [EventStoreModule, ReadModelsModule],
  providers: [
    {
      provide: IdempotencyStore,
      inject: [Database, MasterKey],
      useFactory: (database: Database, key: MasterKey) => new IdempotencyStore(database, key),
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
