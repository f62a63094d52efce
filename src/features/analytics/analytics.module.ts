import { Module } from '@nestjs/common';
import { ProjectionsModule } from '../../projections/projections.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { Runtime } from '../../config/runtime';
import { TenantModule } from '../tenants/tenant.module';
import { AnalystStore } from './analyst.store';
import { AnalyticsController } from './analytics.controller';
import { ExportRowsHandler } from './export.queries';
import { VerifyProjectionsHandler } from './verify.queries';

@Module({
  imports: [ReadModelsModule, ProjectionsModule, TenantModule],
  controllers: [AnalyticsController],
  providers: [
    {
      provide: AnalystStore,
      inject: [Database, Runtime],
      useFactory: (database: Database, runtime: Runtime) => new AnalystStore(database, runtime),
    },
    ExportRowsHandler,
    VerifyProjectionsHandler,
  ],
})
export class AnalyticsModule {}
