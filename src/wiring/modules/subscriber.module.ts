import { Module } from '@nestjs/common';
import { provide, provideWithParts } from './provide';
import { DeliveryModule } from './delivery.module';
import { MailFiles } from '../../delivery/mail/mail-files';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { HttpModule } from './http.module';
import { IdempotencyStore } from '../../http/pipeline/idempotency';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { CohortDirectoryModule } from './cohort-directory.module';
import { Eraser } from '../../services/erasure/eraser';
import { ExternalSubscriberIds } from '../../services/external-ids/external-subscriber-ids';
import { ErasureFollower } from '../../services/erasure/erasure-follower';
import {
  EraseSubscriberHandler,
  ObserveEngagementHandler,
  RegisterSubscriberHandler,
  UpdateSubscriberHandler,
} from '../../features/subscribers/subscriber.commands';
import { SubscriberController } from '../../features/subscribers/subscriber.controller';
import {
  GetSubscriberAtHandler,
  GetSubscriberHandler,
  ListSubscribersHandler,
} from '../../features/subscribers/subscriber.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, HttpModule, DeliveryModule, CohortDirectoryModule],
  controllers: [SubscriberController],
  providers: [
    provide(ExternalSubscriberIds, Aggregates, MasterKey),
    provideWithParts(Eraser, {
      aggregates: Aggregates,
      connection: EventStoreConnection,
      vault: Vault,
      idempotency: IdempotencyStore,
      mailFiles: MailFiles,
      database: Database,
    }),
    provideWithParts(ErasureFollower, {
      aggregates: Aggregates,
      connection: EventStoreConnection,
      vault: Vault,
      mailFiles: MailFiles,
    }),
    RegisterSubscriberHandler,
    UpdateSubscriberHandler,
    ObserveEngagementHandler,
    EraseSubscriberHandler,
    GetSubscriberHandler,
    GetSubscriberAtHandler,
    ListSubscribersHandler,
  ],
  exports: [Eraser, ErasureFollower],
})
export class SubscriberModule {}
