import { Module } from '@nestjs/common';
import { EventStoreConnection } from '../event-store/connection';
import { EventStoreModule } from '../event-store/event-store.module';
import { Metrics } from '../ops/metrics';
import { Database } from '../read-models/database';
import { ReadModelsModule } from '../read-models/read-models.module';
import { Config } from '../config/config';
import { Runtime } from '../config/runtime';
import { Projections } from './projection';
import { Projector } from './projector';
import { ReadYourWrites } from './read-your-writes';
import { RebuildStore } from './rebuild-store';
import { remoteProjector } from './remote-projector';
import { Rebuilder } from './rebuilder';
import { Verifier } from './verifier';

@Module({
  imports: [EventStoreModule, ReadModelsModule],
  providers: [
    {
      provide: Projector,
      inject: [EventStoreConnection, Database, Projections, Metrics, Runtime],
      useFactory: (
        connection: EventStoreConnection,
        database: Database,
        { all: projections }: Projections,
        metrics: Metrics,
        { instanceId, isAlone }: Runtime,
      ) => new Projector({ connection, database, projections, metrics, instanceId, isAlone }),
    },
    {
      provide: ReadYourWrites,
      inject: [Projector, Config, Runtime],
      useFactory: (projector: Projector, { roles }: Config, { siblings }: Runtime) =>
        new ReadYourWrites(
          projector,
          siblings === null || roles.has('projector') ? null : remoteProjector(siblings),
        ),
    },
    {
      provide: RebuildStore,
      inject: [Database],
      useFactory: (database: Database) => new RebuildStore(database),
    },
    {
      provide: Rebuilder,
      inject: [EventStoreConnection, Database, Projections, Projector, RebuildStore],
      useFactory: (
        connection: EventStoreConnection,
        database: Database,
        { all: projections }: Projections,
        projector: Projector,
        store: RebuildStore,
      ) => new Rebuilder({ connection, database, projections, projector, store }),
    },
    {
      provide: Verifier,
      inject: [EventStoreConnection, Database, Projections, Projector],
      useFactory: (
        connection: EventStoreConnection,
        database: Database,
        { all: projections }: Projections,
        projector: Projector,
      ) => new Verifier({ connection, database, projections, projector }),
    },
  ],
  exports: [Projector, ReadYourWrites, RebuildStore, Rebuilder, Verifier],
})
export class ProjectionsModule {}
