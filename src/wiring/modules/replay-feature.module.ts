import { Module } from '@nestjs/common';
import { provide, provideWithParts } from './provide';
import { DeliveryLog } from '../../delivery/journal/delivery-log';
import { DeliveryModule } from './delivery.module';
import { Aggregates } from '../../event-store/aggregates';
import { EventCatalogue } from '../../event-store/catalogue';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { ProjectionsModule } from './projections.module';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { ReplayModule } from './replay.module';
import { SelectionIndex } from '../../replay/running/selection';
import { DestinationDirectory } from '../../directories/destination.directory';
import { DestinationModule } from './destination.module';
import { CohortDirectoryModule } from './cohort-directory.module';
import { CohortMembers } from '../../replay/planning/cohort-members.port';
import { ReplaySlots } from '../../replay/planning/replay-slots';
import { ReplayViews } from '../../features/replays/replay.views';
import {
  CancelReplayHandler,
  MeasureReplayHandler,
  RequestReplayHandler,
} from '../../features/replays/replay.commands';
import {
  OperatorReplayController,
  ReplayController,
} from '../../features/replays/replay.controller';
import { ReplayPlanner } from '../../replay/planning/replay.planner';
import {
  GetReplayHandler,
  ListAllReplaysHandler,
  ListReplayFailuresHandler,
  ListReplaysHandler,
} from '../../features/replays/replay.queries';

@Module({
  imports: [
    CohortDirectoryModule,
    EventStoreModule,
    ReadModelsModule,
    ProjectionsModule,
    DeliveryModule,
    ReplayModule,
    DestinationModule,
  ],
  controllers: [ReplayController, OperatorReplayController],
  providers: [
    provide(ReplaySlots, Aggregates),
    ReplayViews,
    provideWithParts(ReplayPlanner, {
      aggregates: Aggregates,
      catalogue: EventCatalogue,
      cohorts: CohortMembers,
      connection: EventStoreConnection,
      database: Database,
      deliveryLog: DeliveryLog,
      destinations: DestinationDirectory,
      freshness: ReadYourWrites,
      index: SelectionIndex,
    }),
    RequestReplayHandler,
    MeasureReplayHandler,
    CancelReplayHandler,
    GetReplayHandler,
    ListReplaysHandler,
    ListAllReplaysHandler,
    ListReplayFailuresHandler,
  ],
})
export class ReplayFeatureModule {}
