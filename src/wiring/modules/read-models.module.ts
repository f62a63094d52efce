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
        new Database(databaseUrl, databaseConnectionsMax, {
          statementPrefix: isSqlEmbedded && siblings !== null ? `${siblings.name} ` : '',
          isEmbedded: isSqlEmbedded,
        }),
    ),
  ],
  exports: [Database],
})
export class ReadModelsModule {}
