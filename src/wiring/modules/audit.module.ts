import { Module } from '@nestjs/common';
import { provide } from './provide';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { AuditController, OperatorAuditController } from '../../features/audit/audit.controller';
import { AuditLog } from '../../features/audit/audit.queries';

@Module({
  imports: [ReadModelsModule],
  controllers: [AuditController, OperatorAuditController],
  providers: [provide(AuditLog, Database)],
  exports: [AuditLog],
})
export class AuditModule {}
