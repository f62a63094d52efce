import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
import { Config } from '../../config/config';
import { EventStoreModule } from './event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { IdempotencyStore } from '../../http/pipeline/idempotency';
import { RateLimiter } from '../../http/pipeline/rate-limit';
import { SharedRateLimiter } from '../../http/pipeline/shared-rate-limit';

@Module({
  imports: [EventStoreModule, ReadModelsModule],
  providers: [
    provide(IdempotencyStore, Database, MasterKey, Vault),
    provideBy(
      RateLimiter,
      { config: Config },
      ({ config: { concurrentRequestsPerKey } }) => new RateLimiter(concurrentRequestsPerKey),
    ),
    provide(SharedRateLimiter, Database),
  ],
  exports: [IdempotencyStore, RateLimiter, SharedRateLimiter],
})
export class HttpModule {}
