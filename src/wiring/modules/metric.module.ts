import { Module } from '@nestjs/common';
import { provide } from './provide';
import { Database } from '../../read-models/database';
import { CohortDirectoryModule } from './cohort-directory.module';
import { CohortDirectory } from '../../directories/cohort.directory';
import { CutCounts } from '../../features/metrics/cut-counts';
import { ReadModelsModule } from './read-models.module';
import { DestinationModule } from './destination.module';
import { TenantModule } from './tenant.module';
import { MetricController } from '../../features/metrics/metric.controller';
import { GetMetricHandler } from '../../features/metrics/metric.queries';
import { GetRetentionHandler } from '../../features/metrics/retention.queries';

@Module({
  imports: [DestinationModule, ReadModelsModule, TenantModule, CohortDirectoryModule],
  controllers: [MetricController],
  providers: [provide(CutCounts, Database, CohortDirectory), GetMetricHandler, GetRetentionHandler],
})
export class MetricModule {}
