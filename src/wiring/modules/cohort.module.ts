import { Module } from '@nestjs/common';
import { provide, provideWithParts } from './provide';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreModule } from './event-store.module';
import { Clock } from '../../kernel/time';
import { LiveRequests } from '../../ops/live-requests';
import { Projector } from '../../projections/projector';
import { ProjectionsModule } from './projections.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { MotionDirectory } from '../../directories/motion.directory';
import { MotionDirectoryModule } from './motion-directory.module';
import { TriggeringModule } from './triggering.module';
import { Triggering } from '../../services/motion-triggering/triggering';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from './tenant.module';
import {
  ChangeCohortHandler,
  CohortChangeWaiter,
  CreateCohortHandler,
  DeleteCohortHandler,
} from '../../features/cohorts/cohort.commands';
import { CohortController } from '../../features/cohorts/cohort.controller';
import { CohortDirectory } from '../../directories/cohort.directory';
import { CohortDirectoryModule } from './cohort-directory.module';
import { CohortEvaluator } from '../../services/cohort-evaluation/cohort.evaluator';
import {
  CohortViews,
  GetCohortHandler,
  ListCohortsHandler,
  ListMembersHandler,
} from '../../features/cohorts/cohort.queries';
import { CohortPreviews } from '../../features/cohorts/cohort.preview';
import { Vault } from '../../event-store/vault';
import { CohortStore } from '../../services/cohort-evaluation/cohort.store';
import { CohortMembership } from '../../services/cohort-evaluation/cohort-membership';
import { CohortWatchers } from '../../services/cohort-evaluation/cohort-watchers';

@Module({
  imports: [
    EventStoreModule,
    ReadModelsModule,
    ProjectionsModule,
    TenantModule,
    CohortDirectoryModule,
    MotionDirectoryModule,
    TriggeringModule,
  ],
  controllers: [CohortController],
  providers: [
    provide(CohortPreviews, Database, Vault),
    provide(CohortStore, Database),
    provide(CohortChangeWaiter, CohortDirectory, CohortStore),
    provide(CohortViews, CohortStore, MotionDirectory),
    provideWithParts(CohortEvaluator, {
      aggregates: Aggregates,
      projector: Projector,
      store: CohortStore,
      directory: CohortDirectory,
      tenants: TenantDirectory,
      clock: Clock,
      triggering: Triggering,
      liveRequests: LiveRequests,
    }),
    provideWithParts(CohortWatchers, {
      directory: CohortDirectory,
      store: CohortStore,
      membership: CohortMembership,
      triggering: Triggering,
    }),
    CreateCohortHandler,
    ChangeCohortHandler,
    DeleteCohortHandler,
    GetCohortHandler,
    ListCohortsHandler,
    ListMembersHandler,
  ],
  exports: [CohortEvaluator, CohortWatchers],
})
export class CohortModule {}
