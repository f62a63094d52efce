import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '../config';
import { EventCatalogue } from '../event-store/catalogue';
import { EventStoreConnection } from '../event-store/connection';
import { EventStoreModule } from '../event-store/event-store.module';
import { Vault } from '../event-store/vault';
import { Clock } from '../kernel/time';
import { Metrics } from '../ops/metrics';
import { ProjectionsModule } from '../projections/projections.module';
import { ReadYourWrites } from '../projections/read-your-writes';
import { Database } from '../read-models/database';
import { ReadModelsModule } from '../read-models/read-models.module';
import { Runtime } from '../runtime';
import { AddressGuard } from './address-guard';
import { Attempts } from './attempt';
import { DeliveryLog } from './delivery-log';
import { Gates } from './gates';
import { Journal } from './journal';
import { MailFiles } from './mail/mail-files';
import { Mailer } from './mail/mailer';
import { TestMails } from './mail/test-mails';
import { Renderer } from './render';
import { RetryRequests } from './retry-requests';
import { SCHEMA_VERSIONS, SchemaVersions } from './schema-versions';
import { Sender } from './sender';
import { Shares } from './shares';
import { StoredDeliverables } from './stored-deliverables';

/** The engine's parts; `loops.module.ts` joins them with the destinations into the dispatcher. */
@Module({
  imports: [EventStoreModule, ReadModelsModule, ProjectionsModule],
  providers: [
    { provide: SchemaVersions, useValue: SCHEMA_VERSIONS },
    {
      provide: Renderer,
      inject: [EventCatalogue, Vault, SchemaVersions],
      useFactory: (...parts: ConstructorParameters<typeof Renderer>) => new Renderer(...parts),
    },
    {
      provide: AddressGuard,
      inject: [Config],
      useFactory: ({ allowInsecureDestinations }: Config) =>
        new AddressGuard(allowInsecureDestinations),
    },
    {
      provide: Sender,
      inject: [Config, AddressGuard],
      useFactory: (config: Config, guard: AddressGuard) =>
        new Sender({
          timeoutMs: config.deliveryTimeoutMs,
          connectTimeoutMs: config.connectTimeoutMs,
          guard,
          proxyUrl: config.deliveryProxyUrl,
        }),
    },
    {
      provide: MailFiles,
      inject: [Config],
      useFactory: ({ dataDir }: Config) => new MailFiles(join(dataDir, 'mail')),
    },
    {
      provide: Mailer,
      inject: [Config, MailFiles],
      useFactory: (config: Config, files: MailFiles) =>
        new Mailer({
          smtpUrl: config.smtpUrl,
          from: config.mailFrom,
          files,
          timeoutMs: config.deliveryTimeoutMs,
          connectTimeoutMs: config.connectTimeoutMs,
        }),
    },
    {
      provide: Journal,
      inject: [EventStoreConnection, Clock],
      useFactory: (connection: EventStoreConnection, clock: Clock) =>
        new Journal(connection, clock),
    },
    {
      provide: RetryRequests,
      inject: [EventStoreConnection],
      useFactory: (connection: EventStoreConnection) => new RetryRequests(connection),
    },
    {
      provide: DeliveryLog,
      inject: [EventStoreConnection, Database, ReadYourWrites],
      useFactory: (...parts: ConstructorParameters<typeof DeliveryLog>) =>
        new DeliveryLog(...parts),
    },
    {
      provide: StoredDeliverables,
      inject: [Database],
      useFactory: (database: Database) => new StoredDeliverables(database),
    },
    {
      provide: TestMails,
      inject: [Database],
      useFactory: (database: Database) => new TestMails(database),
    },
    {
      provide: Shares,
      inject: [Database, Runtime],
      useFactory: (database: Database, { instanceId }: Runtime) => new Shares(database, instanceId),
    },
    {
      provide: Gates,
      inject: [Clock],
      useFactory: (clock: Clock) => new Gates(clock),
    },
    {
      provide: Attempts,
      inject: [
        EventStoreConnection,
        Renderer,
        Sender,
        Mailer,
        TestMails,
        Vault,
        Clock,
        Metrics,
        DeliveryLog,
        Config,
      ],
      useFactory: (
        connection: EventStoreConnection,
        renderer: Renderer,
        sender: Sender,
        mailer: Mailer,
        testMails: TestMails,
        vault: Vault,
        clock: Clock,
        metrics: Metrics,
        deliveryLog: DeliveryLog,
        { retrySchedule: schedules }: Config,
      ) =>
        new Attempts({
          connection,
          renderer,
          sender,
          mailer,
          testMails,
          vault,
          clock,
          metrics,
          log: deliveryLog,
          schedules,
        }),
    },
  ],
  exports: [
    AddressGuard,
    Attempts,
    DeliveryLog,
    Gates,
    Journal,
    MailFiles,
    Mailer,
    Renderer,
    RetryRequests,
    SchemaVersions,
    Sender,
    Shares,
    StoredDeliverables,
    TestMails,
  ],
})
export class DeliveryModule {}
