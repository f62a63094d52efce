import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
import { ReadModelsModule } from './read-models.module';
import { Database } from '../../read-models/database';
import { Runtime } from '../../config/runtime';
import { ReplayLeases } from '../../replay/running/leases';
import { SelectionIndex } from '../../replay/running/selection';

/** The parts of replays. `loops.module.ts` joins them with the destinations to the replayer. */
@Module({
  imports: [ReadModelsModule],
  providers: [
    provideBy(
      ReplayLeases,
      { database: Database, runtime: Runtime },
      ({ database, runtime: { instanceId } }) => new ReplayLeases(database, instanceId),
    ),
    provide(SelectionIndex, Database),
  ],
  exports: [ReplayLeases, SelectionIndex],
})
export class ReplayModule {}
