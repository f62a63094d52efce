import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
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

/** The cohorts and their members, for features that only read them. */
@Module({
  imports: [EventStoreModule, ReadModelsModule],
  providers: [
    provide(CohortDirectory, EventStoreConnection),
    provideBy(
      CohortMembership,
      { database: Database, directory: CohortDirectory },
      ({ database, directory }) => new SqlCohortMembership(database, directory),
    ),
    provideBy(
      CohortMembers,
      { database: Database, directory: CohortDirectory },
      ({ database, directory }) => new SqlCohortMembers(database, directory),
    ),
  ],
  exports: [CohortDirectory, CohortMembership, CohortMembers],
})
export class CohortDirectoryModule {}
