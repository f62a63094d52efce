import { Module } from '@nestjs/common';
import { provide } from './provide';
import { ProjectionsModule } from './projections.module';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { Runtime } from '../../config/runtime';
import { TenantModule } from './tenant.module';
import { AnalystStore } from '../../features/analytics/analyst.store';
import { AnalyticsController } from '../../features/analytics/analytics.controller';
import { ExportRowsHandler } from '../../features/analytics/export.queries';
import { VerifyProjectionsHandler } from '../../features/analytics/verify.queries';

@Module({
  imports: [ReadModelsModule, ProjectionsModule, TenantModule],
  controllers: [AnalyticsController],
  providers: [
    provide(AnalystStore, Database, Runtime),
    ExportRowsHandler,
    VerifyProjectionsHandler,
  ],
})
export class AnalyticsModule {}
