import { Module } from '@nestjs/common';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreModule } from '../../event-store/event-store.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { CohortDirectory } from '../../directories/cohort.directory';
import { CohortDirectoryModule } from '../cohorts/cohort-directory.module';
import { Billing } from '../../services/billing/billing';
import { SubscriptionModule } from '../subscriptions/subscription.module';
import { TenantModule } from '../tenants/tenant.module';
import {
  ChangeMotionHandler,
  CreateMotionHandler,
  DeleteMotionHandler,
  MotionDefinitions,
  SteerMotionHandler,
} from './motion.commands';
import { MotionController, MotionRunController } from './motion.controller';
import { MotionDirectory } from '../../directories/motion.directory';
import { MotionDirectoryModule } from '../../directories/motion-directory.module';
import {
  GetMotionHandler,
  GetRunHandler,
  ListMotionsHandler,
  ListRunsHandler,
  MotionViews,
} from './motion.queries';
import { GetPerformanceHandler } from './performance.queries';
import { TriggeringModule } from '../../services/motion-triggering/triggering.module';
import { ReportOutcomeHandler, TriggerMotionHandler } from './run.commands';

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
    {
      provide: MotionDefinitions,
      inject: [Aggregates, MotionDirectory, CohortDirectory, Billing],
      useFactory: (...parts: ConstructorParameters<typeof MotionDefinitions>) =>
        new MotionDefinitions(...parts),
    },
    {
      provide: MotionViews,
      inject: [Database],
      useFactory: (database: Database) => new MotionViews(database),
    },
    CreateMotionHandler,
    ChangeMotionHandler,
    SteerMotionHandler,
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
