import { Module } from '@nestjs/common';
import { DeliveryLog } from '../../delivery/journal/delivery-log';
import { DeliveryModule } from '../../delivery/delivery.module';
import { Aggregates } from '../../event-store/aggregates';
import { EventCatalogue } from '../../event-store/catalogue';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from '../../event-store/event-store.module';
import { ProjectionsModule } from '../../projections/projections.module';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { ReplayModule as ReplayMachinery } from '../../replay/running/replay.module';
import { SelectionIndex } from '../../replay/running/selection';
import { DestinationDirectory } from '../../directories/destination.directory';
import { DestinationModule } from '../destinations/destination.module';
import { CohortDirectoryModule } from '../cohorts/cohort-directory.module';
import { CohortMembers } from '../../replay/planning/cohort-members.port';
import { ReplaySlots } from '../../replay/planning/replay-slots';
import { CancelReplayHandler, MeasureReplayHandler, RequestReplayHandler } from './replay.commands';
import { ReplayController } from './replay.controller';
import { ReplayPlanner } from '../../replay/planning/replay.planner';
import { GetReplayHandler, ListReplayFailuresHandler, ListReplaysHandler } from './replay.queries';

@Module({
  imports: [
    CohortDirectoryModule,
    EventStoreModule,
    ReadModelsModule,
    ProjectionsModule,
    DeliveryModule,
    ReplayMachinery,
    DestinationModule,
  ],
  controllers: [ReplayController],
  providers: [
    {
      provide: ReplaySlots,
      inject: [Aggregates],
      useFactory: (aggregates: Aggregates) => new ReplaySlots(aggregates),
    },
    {
      provide: ReplayPlanner,
      inject: [
        Aggregates,
        EventCatalogue,
        CohortMembers,
        EventStoreConnection,
        Database,
        DeliveryLog,
        DestinationDirectory,
        ReadYourWrites,
        SelectionIndex,
      ],
      useFactory: (
        aggregates: Aggregates,
        catalogue: EventCatalogue,
        cohorts: CohortMembers,
        connection: EventStoreConnection,
        database: Database,
        deliveryLog: DeliveryLog,
        destinations: DestinationDirectory,
        freshness: ReadYourWrites,
        index: SelectionIndex,
      ) =>
        new ReplayPlanner({
          aggregates,
          catalogue,
          cohorts,
          connection,
          database,
          deliveryLog,
          destinations,
          freshness,
          index,
        }),
    },
    RequestReplayHandler,
    MeasureReplayHandler,
    CancelReplayHandler,
    GetReplayHandler,
    ListReplaysHandler,
    ListReplayFailuresHandler,
  ],
})
export class ReplayModule {}
