import { Module } from '@nestjs/common';
import { provideBy } from './provide';
import { Runtime } from '../../config/runtime';
import { Database } from '../../read-models/database';

@Module({
  providers: [
    provideBy(
      Database,
      { runtime: Runtime },
      ({ runtime: { databaseUrl, databaseConnectionsMax, isSqlEmbedded, siblings } }) =>
        new Database(
          databaseUrl,
          databaseConnectionsMax,
          isSqlEmbedded && siblings !== null ? `${siblings.name} ` : '',
        ),
    ),
  ],
  exports: [Database],
})
export class ReadModelsModule {}
