import { Module } from '@nestjs/common';
import { provide } from './provide';
import { ConsoleModule } from './console.module';
import { DestinationModule } from './destination.module';
import { EventStoreModule } from './event-store.module';
import { DestinationDirectory } from '../../directories/destination.directory';
import { MemberDirectory } from '../../directories/member.directory';
import { Vault } from '../../event-store/vault';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { AuditController, OperatorAuditController } from '../../features/audit/audit.controller';
import { AuditLog } from '../../features/audit/audit.queries';
import { MemberNames } from '../../features/audit/member-names';

@Module({
  imports: [ConsoleModule, DestinationModule, EventStoreModule, ReadModelsModule],
  controllers: [AuditController, OperatorAuditController],
  providers: [
    provide(MemberNames, MemberDirectory, Vault),
    provide(AuditLog, Database, MemberNames, DestinationDirectory),
  ],
  exports: [AuditLog],
})
export class AuditModule {}
