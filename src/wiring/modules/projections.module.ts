import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Metrics } from '../../ops/metrics';
import { Tracing } from '../../ops/tracing';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { Config } from '../../config/config';
import { Runtime } from '../../config/runtime';
import { Projections } from '../../projections/projection';
import { Projector } from '../../projections/projector';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { createRemoteProjector } from '../../projections/remote-projector';
import { RebuildStore } from '../../projections/rebuild-store';
import { Rebuilder } from '../../projections/rebuilder';
import { Verifier } from '../../projections/verifier';

@Module({
  imports: [EventStoreModule, ReadModelsModule],
  providers: [
    provideBy(
      Projector,
      {
        connection: EventStoreConnection,
        database: Database,
        projections: Projections,
        metrics: Metrics,
        tracing: Tracing,
        runtime: Runtime,
      },
      ({
        connection,
        database,
        projections: { all: projections },
        metrics,
        tracing,
        runtime: { instanceId, isAlone },
      }) =>
        new Projector({ connection, database, projections, metrics, tracing, instanceId, isAlone }),
    ),
    provideBy(
      ReadYourWrites,
      { projector: Projector, config: Config, runtime: Runtime },
      ({ projector, config: { roles }, runtime: { siblings } }) =>
        new ReadYourWrites(
          projector,
          siblings === null || roles.has('projector') ? null : createRemoteProjector(siblings),
        ),
    ),
    provide(RebuildStore, Database),
    provideBy(
      Rebuilder,
      {
        connection: EventStoreConnection,
        database: Database,
        projections: Projections,
        projector: Projector,
        store: RebuildStore,
      },
      ({ connection, database, projections: { all: projections }, projector, store }) =>
        new Rebuilder({ connection, database, projections, projector, store }),
    ),
    provideBy(
      Verifier,
      {
        connection: EventStoreConnection,
        database: Database,
        projections: Projections,
        projector: Projector,
      },
      ({ connection, database, projections: { all: projections }, projector }) =>
        new Verifier({ connection, database, projections, projector }),
    ),
  ],
  exports: [Projector, ReadYourWrites, RebuildStore, Rebuilder, Verifier],
})
export class ProjectionsModule {}
