import { Module } from '@nestjs/common';
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
  CohortSettling,
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
import { CohortWatch } from '../../services/cohort-evaluation/cohort-watch';

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
    {
      provide: CohortPreviews,
      inject: [Database, Vault],
      useFactory: (database: Database, vault: Vault) => new CohortPreviews(database, vault),
    },
    {
      provide: CohortStore,
      inject: [Database],
      useFactory: (database: Database) => new CohortStore(database),
    },
    {
      provide: CohortSettling,
      inject: [CohortDirectory, CohortStore],
      useFactory: (directory: CohortDirectory, store: CohortStore) =>
        new CohortSettling(directory, store),
    },
    {
      provide: CohortViews,
      inject: [CohortStore, MotionDirectory],
      useFactory: (store: CohortStore, motions: MotionDirectory) => new CohortViews(store, motions),
    },
    {
      provide: CohortEvaluator,
      inject: [
        Aggregates,
        Projector,
        CohortStore,
        CohortDirectory,
        TenantDirectory,
        Clock,
        Triggering,
        LiveRequests,
      ],
      useFactory: (
        aggregates: Aggregates,
        projector: Projector,
        store: CohortStore,
        directory: CohortDirectory,
        tenants: TenantDirectory,
        clock: Clock,
        triggering: Triggering,
        liveRequests: LiveRequests,
      ) =>
        new CohortEvaluator({
          aggregates,
          projector,
          store,
          directory,
          tenants,
          clock,
          triggering,
          liveRequests,
        }),
    },
    {
      provide: CohortWatch,
      inject: [CohortDirectory, CohortStore, CohortMembership, Triggering],
      useFactory: (
        directory: CohortDirectory,
        store: CohortStore,
        membership: CohortMembership,
        triggering: Triggering,
      ) => new CohortWatch({ directory, store, membership, triggering }),
    },
    CreateCohortHandler,
    ChangeCohortHandler,
    DeleteCohortHandler,
    GetCohortHandler,
    ListCohortsHandler,
    ListMembersHandler,
  ],
  exports: [CohortEvaluator, CohortWatch],
})
export class CohortModule {}
