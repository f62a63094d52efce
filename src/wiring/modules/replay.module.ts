import { Module } from '@nestjs/common';
import { provide, provideBy } from '../provide';
import { ReadModelsModule } from './read-models.module';
import { Database } from '../../read-models/database';
import { Runtime } from '../../config/runtime';
import { Leases } from '../../replay/running/leases';
import { SelectionIndex } from '../../replay/running/selection';

/** The machinery's parts; `loops.module.ts` joins them with the destinations into the replayer. */
@Module({
  imports: [ReadModelsModule],
  providers: [
    provideBy(
      Leases,
      { database: Database, runtime: Runtime },
      ({ database, runtime: { instanceId } }) => new Leases(database, instanceId),
    ),
    provide(SelectionIndex, Database),
  ],
  exports: [Leases, SelectionIndex],
})
export class ReplayModule {}
