import { Module } from '@nestjs/common';
import { EventStoreModule } from '../../event-store/event-store.module';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { TenantModule } from '../tenants/tenant.module';
import { SavePlanHandler } from './plan.commands';
import { PlanController } from './plan.controller';
import { GetPlanHandler, ListPlansHandler } from './plan.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, TenantModule],
  controllers: [PlanController],
  providers: [SavePlanHandler, GetPlanHandler, ListPlansHandler],
})
export class PlanModule {}
