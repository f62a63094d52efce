import { Module } from '@nestjs/common';
import { provideBy } from '../provide';
import { Runtime } from '../../config/runtime';
import { Database } from '../../read-models/database';

@Module({
  providers: [
    provideBy(
      Database,
      { runtime: Runtime },
      ({ runtime: { databaseUrl, databaseConnectionsMax } }) =>
        new Database(databaseUrl, databaseConnectionsMax),
    ),
  ],
  exports: [Database],
})
export class ReadModelsModule {}
