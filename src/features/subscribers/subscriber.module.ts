import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../delivery/delivery.module';
import { MailFiles } from '../../delivery/mail/mail-files';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from '../../event-store/event-store.module';
import { Vault } from '../../event-store/vault';
import { HttpModule } from '../../http/pipeline/http.module';
import { IdempotencyStore } from '../../http/pipeline/idempotency';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { CohortDirectoryModule } from '../cohorts/cohort-directory.module';
import { Eraser } from '../../services/erasure/eraser';
import {
  EraseSubscriberHandler,
  ObserveEngagementHandler,
  RegisterSubscriberHandler,
  UpdateSubscriberHandler,
} from './subscriber.commands';
import { SubscriberController } from './subscriber.controller';
import {
  GetSubscriberAtHandler,
  GetSubscriberHandler,
  ListSubscribersHandler,
} from './subscriber.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, HttpModule, DeliveryModule, CohortDirectoryModule],
  controllers: [SubscriberController],
  providers: [
    {
      provide: Eraser,
      inject: [Aggregates, EventStoreConnection, Vault, IdempotencyStore, MailFiles, Database],
      useFactory: (
        aggregates: Aggregates,
        connection: EventStoreConnection,
        vault: Vault,
        idempotency: IdempotencyStore,
        mailFiles: MailFiles,
        database: Database,
      ) => new Eraser({ aggregates, connection, vault, idempotency, mailFiles, database }),
    },
    RegisterSubscriberHandler,
    UpdateSubscriberHandler,
    ObserveEngagementHandler,
    EraseSubscriberHandler,
    GetSubscriberHandler,
    GetSubscriberAtHandler,
    ListSubscribersHandler,
  ],
  exports: [Eraser],
})
export class SubscriberModule {}
