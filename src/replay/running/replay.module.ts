import { Module } from '@nestjs/common';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { Database } from '../../read-models/database';
import { Runtime } from '../../config/runtime';
import { ReplayLeases } from './leases';
import { SelectionIndex } from './selection';

/** The parts of replays. `loops.module.ts` joins them with the destinations to the replayer. */
@Module({
  imports: [ReadModelsModule],
  providers: [
    {
      provide: ReplayLeases,
      inject: [Database, Runtime],
      useFactory: (database: Database, { instanceId }: Runtime) =>
        new ReplayLeases(database, instanceId),
    },
    {
      provide: SelectionIndex,
      inject: [Database],
      useFactory: (database: Database) => new SelectionIndex(database),
    },
  ],
  exports: [ReplayLeases, SelectionIndex],
})
export class ReplayModule {}
