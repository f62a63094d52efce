import { Module } from '@nestjs/common';
import { provideBy } from './provide';
import { Config } from '../../config/config';
import { DeliveryModule } from './delivery.module';
import { Mailer } from '../../delivery/mail/mailer';
import { EventStoreConnection } from '../../event-store/connection';
import { EventStoreModule } from './event-store.module';
import { Clock } from '../../kernel/time';
import { Database } from '../../read-models/database';
import { ReadModelsModule } from './read-models.module';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from './tenant.module';
import { AlertJournal } from '../../services/alerting/alert.journal';
import { Alerter } from '../../services/alerting/alerter';
import { DeferredAlerts } from '../../services/alerting/deferred-alerts';
import { OperationalEventController } from '../../features/operational-events/operational-event.controller';
import { ListOperationalEventsHandler } from '../../features/operational-events/operational-event.queries';

@Module({
  imports: [ReadModelsModule, EventStoreModule, DeliveryModule, TenantModule],
  controllers: [OperationalEventController],
  providers: [
    ListOperationalEventsHandler,
    provideBy(
      Alerter,
      {
        connection: EventStoreConnection,
        tenants: TenantDirectory,
        database: Database,
        mailer: Mailer,
        clock: Clock,
        config: Config,
      },
      ({ connection, tenants, database, mailer, clock, config: { retrySchedule } }) =>
        new Alerter({
          connection,
          tenants,
          journal: new AlertJournal(connection, clock),
          deferred: new DeferredAlerts(database),
          mailer,
          schedule: retrySchedule.live,
          clock,
        }),
    ),
  ],
  exports: [Alerter],
})
export class OperationalEventModule {}
