import { Module } from '@nestjs/common';
import { provide } from './provide';
import { CohortDirectory } from '../../directories/cohort.directory';
import { DestinationDirectory } from '../../directories/destination.directory';
import { MotionDirectory } from '../../directories/motion.directory';
import { EventStoreModule } from './event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { CohortDirectoryModule } from './cohort-directory.module';
import { DestinationModule } from './destination.module';
import { MotionDirectoryModule } from './motion-directory.module';
import {
  OperatorSearchController,
  SearchController,
} from '../../features/search/search.controller';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
import { TenantDirectory } from '../../directories/tenant.directory';
import { OperatorSearcher } from '../../features/search/operator-searcher';
import { ApiKeyModule } from './api-key.module';
import { TenantModule } from './tenant.module';
import { Searcher } from '../../features/search/searcher';

@Module({
  imports: [
    EventStoreModule,
    ReadModelsModule,
    DestinationModule,
    CohortDirectoryModule,
    MotionDirectoryModule,
    TenantModule,
    ApiKeyModule,
  ],
  controllers: [SearchController, OperatorSearchController],
  providers: [
    provide(Searcher, Database, DestinationDirectory, CohortDirectory, MotionDirectory, MasterKey),
    provide(
      OperatorSearcher,
      Database,
      TenantDirectory,
      ApiKeyDirectory,
      DestinationDirectory,
      MasterKey,
    ),
  ],
})
export class SearchModule {}
