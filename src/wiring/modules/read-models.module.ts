import { Module } from '@nestjs/common';
import { Runtime } from '../../config/runtime';
import { Database } from '../../read-models/database';

@Module({
  providers: [
    {
      provide: Database,
      inject: [Runtime],
      useFactory: ({ databaseUrl, databaseConnectionsMax }: Runtime) =>
        new Database(databaseUrl, databaseConnectionsMax),
    },
  ],
  exports: [Database],
})
export class ReadModelsModule {}
