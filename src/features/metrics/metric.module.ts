import { Module } from '@nestjs/common';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { CohortDirectoryModule } from '../cohorts/cohort-directory.module';
import { DestinationModule } from '../destinations/destination.module';
import { TenantModule } from '../tenants/tenant.module';
import { CutCounts } from './cut-counts';
import { MetricController } from './metric.controller';
import { GetMetricHandler } from './metric.queries';

@Module({
  imports: [DestinationModule, ReadModelsModule, TenantModule, CohortDirectoryModule],
  controllers: [MetricController],
  providers: [
    {
      provide: CutCounts,
      inject: [Database],
      useFactory: (database: Database) => new CutCounts(database),
    },
    GetMetricHandler,
  ],
})
export class MetricModule {}
