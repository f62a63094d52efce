import { Module } from '@nestjs/common';
import { provide } from './provide';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreModule } from './event-store.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { CohortDirectory } from '../../directories/cohort.directory';
import { CohortDirectoryModule } from './cohort-directory.module';
import { Billing } from '../../services/billing/billing';
import { SubscriptionModule } from './subscription.module';
import { TenantModule } from './tenant.module';
import {
  ChangeMotionHandler,
  CreateMotionHandler,
  DeleteMotionHandler,
  MotionDefinitions,
  ChangeMotionStatusHandler,
} from '../../features/motions/motion.commands';
import { MotionController, MotionRunController } from '../../features/motions/motion.controller';
import { MotionDirectory } from '../../directories/motion.directory';
import { MotionDirectoryModule } from './motion-directory.module';
import {
  GetMotionHandler,
  GetRunHandler,
  ListMotionsHandler,
  ListRunsHandler,
  MotionViews,
} from '../../features/motions/motion.queries';
import { GetPerformanceHandler } from '../../features/motions/performance.queries';
import { TriggeringModule } from './triggering.module';
import { ReportOutcomeHandler, TriggerMotionHandler } from '../../features/motions/run.commands';

@Module({
  imports: [
    EventStoreModule,
    ReadModelsModule,
    TenantModule,
    SubscriptionModule,
    CohortDirectoryModule,
    MotionDirectoryModule,
    TriggeringModule,
  ],
  controllers: [MotionController, MotionRunController],
  providers: [
    provide(MotionDefinitions, Aggregates, MotionDirectory, CohortDirectory, Billing),
    provide(MotionViews, Database),
    CreateMotionHandler,
    ChangeMotionHandler,
    ChangeMotionStatusHandler,
    DeleteMotionHandler,
    TriggerMotionHandler,
    ReportOutcomeHandler,
    ListMotionsHandler,
    GetMotionHandler,
    ListRunsHandler,
    GetRunHandler,
    GetPerformanceHandler,
  ],
})
export class MotionModule {}
