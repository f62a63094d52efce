import { Module } from '@nestjs/common';
import { Runtime } from '../config/runtime';
import { Database } from './database';

@Module({
  providers: [
    {
      provide: Database,
      inject: [Runtime],
      useFactory: ({ databaseUrl, databaseConnectionsMax, isSqlEmbedded, siblings }: Runtime) =>
        new Database(
          databaseUrl,
          databaseConnectionsMax,
          isSqlEmbedded && siblings !== null ? `${siblings.name} ` : '',
        ),
    },
  ],
  exports: [Database],
})
export class ReadModelsModule {}
