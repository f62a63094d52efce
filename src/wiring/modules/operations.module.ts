import { Module } from '@nestjs/common';
import { Config } from '../../config/config';
import { Runtime } from '../../config/runtime';
import { DestinationDirectory } from '../../directories/destination.directory';
import { ImportDirectory } from '../../directories/import.directory';
import { TenantDirectory } from '../../directories/tenant.directory';
import { EventStoreConnection } from '../../event-store/connection';
import { HealthChecks } from '../../features/operations/health-checks';
import { OperationsController } from '../../features/operations/operations.controller';
import { OverviewReader } from '../../features/operations/overview.queries';
import { UsageReader } from '../../features/operations/usage.queries';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { provide, provideWithParts } from './provide';
import { Readiness } from './readiness';
import { DestinationModule } from './destination.module';
import { EventStoreModule } from './event-store.module';
import { HealthModule } from './health.module';
import { ImportModule } from './import.module';
import { ReadModelsModule } from './read-models.module';
import { TenantModule } from './tenant.module';

@Module({
  imports: [
    EventStoreModule,
    ReadModelsModule,
    HealthModule,
    TenantModule,
    DestinationModule,
    ImportModule,
  ],
  controllers: [OperationsController],
  providers: [
    { provide: HealthChecks, useExisting: Readiness },
    provideWithParts(OverviewReader, {
      checks: HealthChecks,
      connection: EventStoreConnection,
      database: Database,
      tenants: TenantDirectory,
      destinations: DestinationDirectory,
      imports: ImportDirectory,
      runtime: Runtime,
      config: Config,
    }),
    provide(UsageReader, Database, TenantDirectory, DestinationDirectory, Clock),
  ],
})
export class OperationsModule {}
