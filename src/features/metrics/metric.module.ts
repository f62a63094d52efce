import { Module } from '@nestjs/common';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { DestinationModule } from '../destinations/destination.module';
import { TenantModule } from '../tenants/tenant.module';
import { MetricController } from './metric.controller';
import { GetMetricHandler } from './metric.queries';

@Module({
  imports: [DestinationModule, ReadModelsModule, TenantModule],
  controllers: [MetricController],
  providers: [GetMetricHandler],
})
export class MetricModule {}
