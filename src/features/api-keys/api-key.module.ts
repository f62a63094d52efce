import { Module } from '@nestjs/common';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from '../../event-store/event-store.module';
import { Authenticator } from '../../http/pipeline/authentication';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from '../tenants/tenant.module';
import { ApiKeyAuthenticator } from './api-key.authenticator';
import {
  ChangeApiKeyHandler,
  IssueApiKeyHandler,
  KeyWriter,
  RevokeApiKeyHandler,
  RotateApiKeyHandler,
} from './api-key.commands';
import { ConsoleKeyController } from './console-key.controller';
import { ApiKeyController } from './api-key.controller';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
import { ApiKeyUses } from './api-key.uses';

@Module({
  imports: [EventStoreModule, ReadModelsModule, TenantModule],
  controllers: [ApiKeyController, ConsoleKeyController],
  providers: [
    {
      provide: ApiKeyDirectory,
      inject: [EventStoreConnection],
      useFactory: (connection: EventStoreConnection) => new ApiKeyDirectory(connection),
    },
    {
      provide: KeyWriter,
      inject: [Aggregates, ApiKeyDirectory],
      useFactory: (aggregates: Aggregates, keys: ApiKeyDirectory) =>
        new KeyWriter(aggregates, keys),
    },
    {
      provide: Authenticator,
      inject: [ApiKeyDirectory, TenantDirectory, ApiKeyUses, Clock],
      useFactory: (
        keys: ApiKeyDirectory,
        tenants: TenantDirectory,
        uses: ApiKeyUses,
        clock: Clock,
      ) => new ApiKeyAuthenticator(keys, tenants, uses, clock),
    },
    {
      provide: ApiKeyUses,
      inject: [Database],
      useFactory: (database: Database) => new ApiKeyUses(database),
    },
    IssueApiKeyHandler,
    RotateApiKeyHandler,
    ChangeApiKeyHandler,
    RevokeApiKeyHandler,
  ],
  exports: [Authenticator, ApiKeyDirectory, ApiKeyUses],
})
export class ApiKeyModule {}
