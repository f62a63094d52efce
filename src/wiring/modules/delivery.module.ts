import { Module } from '@nestjs/common';
import { provide, provideBy } from './provide';
import { join } from 'node:path';
import { Config } from '../../config/config';
import { EventCatalogue } from '../../event-store/catalogue';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Vault } from '../../event-store/vault';
import { Clock } from '../../kernel/time';
import { Metrics } from '../../ops/metrics';
import { Tracing } from '../../ops/tracing';
import { ProjectionsModule } from './projections.module';
import { ReadYourWrites } from '../../projections/read-your-writes';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { Runtime } from '../../config/runtime';
import { readStoreAddresses, StoreGuard } from '../../delivery/webhook/sender-store-guard';
import { AddressGuard } from '../../delivery/webhook/address-guard';
import { Attempts } from '../../delivery/attempt/attempt';
import { DeliveryLog } from '../../delivery/journal/delivery-log';
import { Gates } from '../../delivery/schedule/gates';
import { Journal } from '../../delivery/journal/journal';
import { MailChannel } from '../../delivery/mail/mail-channel';
import { MailFiles } from '../../delivery/mail/mail-files';
import { Mailer } from '../../delivery/mail/mailer';
import { TestMails } from '../../delivery/mail/test-mails';
import { Channels } from '../../delivery/model/channel';
import { Renderer } from '../../delivery/model/render';
import { RetryRequests } from '../../delivery/journal/retry-requests';
import { SCHEMA_VERSIONS, SchemaVersions } from '../../delivery/model/schema-versions';
import { LocalListeners } from '../../delivery/webhook/local-listeners';
import { UrlPolicy } from '../../delivery/webhook/url-policy';
import { Sender } from '../../delivery/webhook/sender';
import { WebhookChannel } from '../../delivery/webhook/webhook-channel';
import { DestinationShares } from '../../delivery/live/shares';
import { StoredDeliverables } from '../../delivery/model/stored-deliverables';

/**
 * The parts of the delivery engine. `loops.module.ts` joins them with the destinations to the
 * dispatcher.
 */
@Module({
  imports: [EventStoreModule, ReadModelsModule, ProjectionsModule],
  providers: [
    { provide: SchemaVersions, useValue: SCHEMA_VERSIONS },
    provide(Renderer, EventCatalogue, Vault, SchemaVersions),
    provideBy(
      AddressGuard,
      { config: Config },
      ({ config: { allowInsecureDestinations } }) => new AddressGuard(allowInsecureDestinations),
    ),
    provide(LocalListeners),
    provideBy(
      Sender,
      { config: Config, guard: AddressGuard, listeners: LocalListeners },
      ({ config, guard, listeners }) =>
        new Sender({
          timeoutMs: config.deliveryTimeoutMs,
          connectTimeoutMs: config.connectTimeoutMs,
          guard,
          listeners,
          // The embedded stores listen on no TCP port.
          storeGuard: new StoreGuard(readStoreAddresses(config)),
          proxyUrl: config.deliveryProxyUrl,
        }),
    ),
    provideBy(
      MailFiles,
      { config: Config },
      ({ config: { dataDir } }) => new MailFiles(join(dataDir, 'mail')),
    ),
    provideBy(
      Mailer,
      { config: Config, files: MailFiles },
      ({ config, files }) =>
        new Mailer({
          smtpUrl: config.smtpUrl,
          from: config.mailFrom,
          files,
          timeoutMs: config.deliveryTimeoutMs,
          connectTimeoutMs: config.connectTimeoutMs,
        }),
    ),
    provideBy(
      Journal,
      { connection: EventStoreConnection, clock: Clock, metrics: Metrics },
      ({ connection, clock, metrics }) =>
        new Journal(connection, clock, (seconds) => {
          metrics.journalWrite.observe(seconds);
        }),
    ),
    provide(RetryRequests, EventStoreConnection),
    provide(DeliveryLog, EventStoreConnection, Database, ReadYourWrites),
    provide(StoredDeliverables, Database),
    provide(TestMails, Database),
    provideBy(
      DestinationShares,
      { database: Database, gates: Gates, runtime: Runtime },
      ({ database, gates, runtime: { instanceId, isAlone } }) =>
        new DestinationShares(database, gates, instanceId, isAlone),
    ),
    provide(Gates, Clock),
    provideBy(
      UrlPolicy,
      { config: Config, guard: AddressGuard, listeners: LocalListeners },
      ({ config: { allowInsecureDestinations }, guard, listeners }) =>
        new UrlPolicy(allowInsecureDestinations, guard, listeners),
    ),
    provideBy(
      Channels,
      { sender: Sender, urls: UrlPolicy, mailer: Mailer, testMails: TestMails },
      ({ sender, urls, mailer, testMails }) =>
        new Channels({
          https_webhook: new WebhookChannel(sender, urls),
          email_fallback: new MailChannel(mailer, testMails),
        }),
    ),
    provideBy(
      Attempts,
      {
        connection: EventStoreConnection,
        renderer: Renderer,
        channels: Channels,
        vault: Vault,
        clock: Clock,
        metrics: Metrics,
        tracing: Tracing,
        deliveryLog: DeliveryLog,
        config: Config,
      },
      ({
        connection,
        renderer,
        channels,
        vault,
        clock,
        metrics,
        tracing,
        deliveryLog,
        config: { retrySchedule: schedules },
      }) =>
        new Attempts({
          connection,
          renderer,
          channels,
          vault,
          clock,
          metrics,
          tracing,
          log: deliveryLog,
          schedules,
        }),
    ),
  ],
  exports: [
    AddressGuard,
    Attempts,
    Channels,
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
    DestinationShares,
    StoredDeliverables,
    TestMails,
  ],
})
export class DeliveryModule {}
