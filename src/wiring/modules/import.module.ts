import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
import { Aggregates } from '../../event-store/aggregates';
import { Claims } from '../../event-store/claims';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { newCommandId } from '../../event-store/entropy';
import { LiveRequests } from '../../ops/live-requests';
import { Clock } from '../../kernel/time';
import { ProjectionsModule } from './projections.module';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { ReadModelsModule } from './read-models.module';
import { Runtime } from '../../config/runtime';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from './tenant.module';
import { HistoryImport } from '../../services/importing/history';
import { CreateImportHandler } from '../../features/imports/import.commands';
import {
  ImportController,
  OperatorImportController,
} from '../../features/imports/import.controller';
import { ImportDirectory } from '../../directories/import.directory';
import {
  ListAllImportsHandler,
  ListImportErrorsHandler,
  ListImportsHandler,
} from '../../features/imports/import.queries';
import { Importer } from '../../services/importing/importer';
import { SeedController } from '../../features/imports/seed.controller';

@Module({
  imports: [EventStoreModule, ProjectionsModule, ReadModelsModule, TenantModule],
  controllers: [ImportController, OperatorImportController, SeedController],
  providers: [
    provide(ImportDirectory, EventStoreConnection),
    provideBy(
      HistoryImport,
      {
        aggregates: Aggregates,
        vault: Vault,
        claims: Claims,
        masterKey: MasterKey,
        liveRequests: LiveRequests,
      },
      ({ aggregates, vault, claims, masterKey, liveRequests }) =>
        new HistoryImport({ aggregates, vault, claims, masterKey }, () =>
          liveRequests.waitForTurn(),
        ),
    ),
    provideBy(
      Importer,
      {
        connection: EventStoreConnection,
        aggregates: Aggregates,
        vault: Vault,
        directory: ImportDirectory,
        tenants: TenantDirectory,
        history: HistoryImport,
        freshness: ReadYourWrites,
        clock: Clock,
        runtime: Runtime,
      },
      ({
        connection,
        aggregates,
        vault,
        directory,
        tenants,
        history,
        freshness,
        clock,
        runtime: { instanceId: worker },
      }) =>
        new Importer({
          connection,
          aggregates,
          vault,
          directory,
          tenants,
          history,
          freshness,
          clock,
          worker,
          newCommandId,
        }),
    ),
    CreateImportHandler,
    ListAllImportsHandler,
    ListImportErrorsHandler,
    ListImportsHandler,
  ],
  exports: [ImportDirectory, Importer],
})
export class ImportModule {}
