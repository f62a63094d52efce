import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '../config/config';
import { EventCatalogue } from '../event-store/catalogue';
import { EventStoreConnection } from '../event-store/connection';
import { EventStoreModule } from '../event-store/event-store.module';
import { Vault } from '../event-store/vault';
import { Clock } from '../kernel/time';
import { Metrics } from '../ops/metrics';
import { Tracing } from '../ops/tracing';
import { ProjectionsModule } from '../projections/projections.module';
import { ReadYourWrites } from '../projections/read-your-writes';
import { Database } from '../read-models/database';
import { ReadModelsModule } from '../read-models/read-models.module';
import { Runtime } from '../config/runtime';
import { storeAddressesOf, StoreGuard } from './webhook/sender-stores';
import { AddressGuard } from './webhook/address-guard';
import { Attempts } from './attempt/attempt';
import { DeliveryLog } from './journal/delivery-log';
import { Gates } from './schedule/gates';
import { Journal } from './journal/journal';
import { MailFiles } from './mail/mail-files';
import { Mailer } from './mail/mailer';
import { TestMails } from './mail/test-mails';
import { Renderer } from './model/render';
import { RetryRequests } from './journal/retry-requests';
import { SCHEMA_VERSIONS, SchemaVersions } from './model/schema-versions';
import { LocalListeners } from './webhook/local-listeners';
import { Sender } from './webhook/sender';
import { Shares } from './live/shares';
import { StoredDeliverables } from './model/stored-deliverables';

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
    { provide: LocalListeners, useFactory: () => new LocalListeners() },
    {
      provide: Sender,
      inject: [Config, AddressGuard, LocalListeners],
      useFactory: (config: Config, guard: AddressGuard, listeners: LocalListeners) =>
        new Sender({
          timeoutMs: config.deliveryTimeoutMs,
          connectTimeoutMs: config.connectTimeoutMs,
          guard,
          listeners,
          // The embedded stores listen on no port.
          storeGuard: new StoreGuard(storeAddressesOf(config)),
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
      inject: [EventStoreConnection, Clock, Metrics],
      useFactory: (connection: EventStoreConnection, clock: Clock, metrics: Metrics) =>
        new Journal(connection, clock, (seconds) => {
          metrics.journalWrite.observe(seconds);
        }),
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
      useFactory: (database: Database, { instanceId, isAlone }: Runtime) =>
        new Shares(database, instanceId, isAlone),
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
        Tracing,
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
        tracing: Tracing,
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
          tracing,
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
    LocalListeners,
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
