import { Module } from '@nestjs/common';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from '../../event-store/event-store.module';
import { ChangeTenantHandler, CreateTenantHandler } from './tenant.commands';
import { TenantController } from './tenant.controller';
import { TenantDirectory } from './tenant.directory';

@Module({
  imports: [EventStoreModule],
  controllers: [TenantController],
  providers: [
    {
      provide: TenantDirectory,
      inject: [EventStoreConnection],
      useFactory: (connection: EventStoreConnection) => new TenantDirectory(connection),
    },
    CreateTenantHandler,
    ChangeTenantHandler,
  ],
  exports: [TenantDirectory],
})
export class TenantModule {}
