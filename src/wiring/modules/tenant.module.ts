import { Module } from '@nestjs/common';
import { provide } from './provide';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { Clock } from '../../kernel/time';
import { Quotas } from '../../services/quotas/quotas';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import {
  ChangeTenantHandler,
  CreateTenantHandler,
  DeleteTenantHandler,
  ResumeTenantHandler,
  SuspendTenantHandler,
  TenantWriter,
} from '../../features/tenants/tenant.commands';
import { Aggregates } from '../../event-store/aggregates';
import { ConsoleSettingsController } from '../../features/tenants/console-settings.controller';
import { TenantController } from '../../features/tenants/tenant.controller';
import { TenantDirectory } from '../../directories/tenant.directory';

@Module({
  imports: [EventStoreModule, ReadModelsModule],
  controllers: [TenantController, ConsoleSettingsController],
  providers: [
    provide(TenantDirectory, EventStoreConnection),
    provide(Quotas, Aggregates, Database, TenantDirectory, Clock),
    provide(TenantWriter, Aggregates, TenantDirectory),
    CreateTenantHandler,
    ChangeTenantHandler,
    DeleteTenantHandler,
    SuspendTenantHandler,
    ResumeTenantHandler,
  ],
  exports: [TenantDirectory, Quotas],
})
export class TenantModule {}
