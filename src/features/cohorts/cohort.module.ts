import { Module } from '@nestjs/common';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreModule } from '../../event-store/event-store.module';
import { Clock } from '../../kernel/time';
import { Projector } from '../../projections/projector';
import { ProjectionsModule } from '../../projections/projections.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { MotionDirectory } from '../motions/motion.directory';
import { MotionDirectoryModule } from '../motions/motion-directory.module';
import { TriggeringModule } from '../motions/triggering.module';
import { Triggering } from '../motions/triggering.port';
import { TenantDirectory } from '../tenants/tenant.directory';
import { TenantModule } from '../tenants/tenant.module';
import {
  ChangeCohortHandler,
  CohortSettling,
  CreateCohortHandler,
  DeleteCohortHandler,
} from './cohort.commands';
import { CohortController } from './cohort.controller';
import { CohortDirectory } from './cohort.directory';
import { CohortDirectoryModule } from './cohort-directory.module';
import { CohortEvaluator } from './cohort.evaluator';
import {
  CohortViews,
  GetCohortHandler,
  ListCohortsHandler,
  ListMembersHandler,
} from './cohort.queries';
import { CohortStore } from './cohort.store';
import { CohortMembership } from './cohort-membership.port';
import { CohortWatch } from './cohort-watch.port';

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
      ],
      useFactory: (
        aggregates: Aggregates,
        projector: Projector,
        store: CohortStore,
        directory: CohortDirectory,
        tenants: TenantDirectory,
        clock: Clock,
        triggering: Triggering,
      ) =>
        new CohortEvaluator({
          aggregates,
          projector,
          store,
          directory,
          tenants,
          clock,
          triggering,
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
