import { Module } from '@nestjs/common';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { CohortMembers } from '../../replay/planning/cohort-members.port';
import { CohortDirectory } from '../../directories/cohort.directory';
import {
  SqlCohortMembers,
  SqlCohortMembership,
} from '../../services/cohort-evaluation/cohort.members';
import { CohortMembership } from '../../services/cohort-evaluation/cohort-membership';

/** Which cohorts there are and who is in them, for features that only need to know. */
@Module({
  imports: [EventStoreModule, ReadModelsModule],
  providers: [
    {
      provide: CohortDirectory,
      inject: [EventStoreConnection],
      useFactory: (connection: EventStoreConnection) => new CohortDirectory(connection),
    },
    {
      provide: CohortMembership,
      inject: [Database, CohortDirectory],
      useFactory: (database: Database, directory: CohortDirectory) =>
        new SqlCohortMembership(database, directory),
    },
    {
      provide: CohortMembers,
      inject: [Database, CohortDirectory],
      useFactory: (database: Database, directory: CohortDirectory) =>
        new SqlCohortMembers(database, directory),
    },
  ],
  exports: [CohortDirectory, CohortMembership, CohortMembers],
})
export class CohortDirectoryModule {}
