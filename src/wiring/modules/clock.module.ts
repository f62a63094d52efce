import { Module } from '@nestjs/common';
import { provide, provideWithParts } from './provide';
import { Runtime } from '../../config/runtime';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Clock } from '../../kernel/time';
import { ProjectionsModule } from './projections.module';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { CohortModule } from './cohort.module';
import { CohortWatchers } from '../../services/cohort-evaluation/cohort-watchers';
import { Eraser } from '../../services/erasure/eraser';
import { SubscriberModule } from './subscriber.module';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from './tenant.module';
import { TimerModule } from './timer.module';
import { Timers } from '../../services/timers/timers';
import { ClockAdvancer } from '../../services/clock-advancing/clock.advancer';
import {
  AdvanceClockHandler,
  CreateClockHandler,
  DeleteClockHandler,
} from '../../features/clocks/clock.commands';
import { ClockController } from '../../features/clocks/clock.controller';
import { GetClockHandler, ListClocksHandler } from '../../features/clocks/clock.queries';
import { ClockRemover } from '../../services/clock-advancing/clock.remover';
import { ClockStore } from '../../services/clock-advancing/clock.store';

@Module({
  imports: [
    CohortModule,
    EventStoreModule,
    ProjectionsModule,
    ReadModelsModule,
    SubscriberModule,
    TenantModule,
    TimerModule,
  ],
  controllers: [ClockController],
  providers: [
    provide(ClockStore, Database),
    provide(ClockRemover, Aggregates, ClockStore, Eraser, ReadYourWrites),
    provideWithParts(ClockAdvancer, {
      connection: EventStoreConnection,
      store: ClockStore,
      aggregates: Aggregates,
      timers: Timers,
      cohorts: CohortWatchers,
      remover: ClockRemover,
      freshness: ReadYourWrites,
      tenants: TenantDirectory,
      clock: Clock,
      runtime: Runtime,
    }),
    CreateClockHandler,
    AdvanceClockHandler,
    DeleteClockHandler,
    GetClockHandler,
    ListClocksHandler,
  ],
  exports: [ClockAdvancer],
})
export class ClockModule {}
