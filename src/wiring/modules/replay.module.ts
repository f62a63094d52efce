import { Module } from '@nestjs/common';
import { ReadModelsModule } from './read-models.module';
import { Database } from '../../read-models/database';
import { Runtime } from '../../config/runtime';
import { Leases } from '../../replay/running/leases';
import { SelectionIndex } from '../../replay/running/selection';

/** The machinery's parts; `loops.module.ts` joins them with the destinations into the replayer. */
@Module({
  imports: [ReadModelsModule],
  providers: [
    {
      provide: Leases,
      inject: [Database, Runtime],
      useFactory: (database: Database, { instanceId }: Runtime) => new Leases(database, instanceId),
    },
    {
      provide: SelectionIndex,
      inject: [Database],
      useFactory: (database: Database) => new SelectionIndex(database),
    },
  ],
  exports: [Leases, SelectionIndex],
})
export class ReplayModule {}
