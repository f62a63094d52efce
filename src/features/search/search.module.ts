import { Module } from '@nestjs/common';
import { CohortDirectory } from '../../directories/cohort.directory';
import { DestinationDirectory } from '../../directories/destination.directory';
import { MotionDirectory } from '../../directories/motion.directory';
import { EventStoreModule } from '../../event-store/event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { CohortDirectoryModule } from '../cohorts/cohort-directory.module';
import { DestinationModule } from '../destinations/destination.module';
import { MotionDirectoryModule } from '../../directories/motion-directory.module';
import { SearchController } from './search.controller';
import { Searcher } from './searcher';

@Module({
  imports: [
    EventStoreModule,
    ReadModelsModule,
    DestinationModule,
    CohortDirectoryModule,
    MotionDirectoryModule,
  ],
  controllers: [SearchController],
  providers: [
    {
      provide: Searcher,
      inject: [Database, DestinationDirectory, CohortDirectory, MotionDirectory, MasterKey],
      useFactory: (...parts: ConstructorParameters<typeof Searcher>) => new Searcher(...parts),
    },
  ],
})
export class SearchModule {}
