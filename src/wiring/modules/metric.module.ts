import { Module } from '@nestjs/common';
import { ReadModelsModule } from './read-models.module';
import { DestinationModule } from './destination.module';
import { TenantModule } from './tenant.module';
import { MetricController } from '../../features/metrics/metric.controller';
import { GetMetricHandler } from '../../features/metrics/metric.queries';

@Module({
  imports: [DestinationModule, ReadModelsModule, TenantModule],
  controllers: [MetricController],
  providers: [GetMetricHandler],
})
export class MetricModule {}
