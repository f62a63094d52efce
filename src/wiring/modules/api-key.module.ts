import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Authenticator } from '../../http/pipeline/authentication';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from './tenant.module';
import { CommandBus } from '@nestjs/cqrs';
import { ApiKeyActions } from '../../features/api-keys/api-key.actions';
import { ApiKeyAuthenticator } from '../../features/api-keys/api-key.authenticator';
import {
  ChangeApiKeyHandler,
  IssueApiKeyHandler,
  KeyWriter,
  RevokeApiKeyHandler,
  RotateApiKeyHandler,
} from '../../features/api-keys/api-key.commands';
import { ConsoleKeyController } from '../../features/api-keys/console-key.controller';
import { ApiKeyController } from '../../features/api-keys/api-key.controller';
import { ApiKeyDirectory } from '../../directories/api-key.directory';
import { ApiKeyUses } from '../../features/api-keys/api-key.uses';

@Module({
  imports: [EventStoreModule, ReadModelsModule, TenantModule],
  controllers: [ApiKeyController, ConsoleKeyController],
  providers: [
    provide(ApiKeyDirectory, EventStoreConnection),
    provide(KeyWriter, Aggregates, ApiKeyDirectory),
    provideBy(
      Authenticator,
      { keys: ApiKeyDirectory, tenants: TenantDirectory, uses: ApiKeyUses, clock: Clock },
      ({ keys, tenants, uses, clock }) => new ApiKeyAuthenticator(keys, tenants, uses, clock),
    ),
    provide(ApiKeyUses, Database),
    provide(ApiKeyActions, CommandBus, ApiKeyDirectory, ApiKeyUses),
    IssueApiKeyHandler,
    RotateApiKeyHandler,
    ChangeApiKeyHandler,
    RevokeApiKeyHandler,
  ],
  exports: [Authenticator, ApiKeyDirectory, ApiKeyUses],
})
export class ApiKeyModule {}
