import { Module } from '@nestjs/common';
import { EventStoreModule } from './event-store.module';
import { ReadModelsModule } from './read-models.module';
import { TenantModule } from './tenant.module';
import { SavePlanHandler } from '../../features/plans/plan.commands';
import { MetricPlanController, PlanController } from '../../features/plans/plan.controller';
import { GetPlanHandler, ListPlansHandler } from '../../features/plans/plan.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, TenantModule],
  controllers: [PlanController, MetricPlanController],
  providers: [SavePlanHandler, GetPlanHandler, ListPlansHandler],
})
export class PlanModule {}
