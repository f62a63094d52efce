import { Module } from '@nestjs/common';
import { provide } from '../provide';
import { CohortDirectory } from '../../directories/cohort.directory';
import { DestinationDirectory } from '../../directories/destination.directory';
import { MotionDirectory } from '../../directories/motion.directory';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { CohortDirectoryModule } from './cohort-directory.module';
import { DestinationModule } from './destination.module';
import { MotionDirectoryModule } from './motion-directory.module';
import { SearchController } from '../../features/search/search.controller';
import { Searcher } from '../../features/search/searcher';

@Module({
  imports: [ReadModelsModule, DestinationModule, CohortDirectoryModule, MotionDirectoryModule],
  controllers: [SearchController],
  providers: [provide(Searcher, Database, DestinationDirectory, CohortDirectory, MotionDirectory)],
})
export class SearchModule {}
