import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DeliveryModule } from '../delivery/delivery.module';
import { EventCatalogue } from '../event-store/catalogue';
import { EventStoreModule } from '../event-store/event-store.module';
import { ApiKeyModule } from '../features/api-keys/api-key.module';
import { OperatorTokenModule } from '../features/operator-tokens/operator-token.module';
import { DeliveryLogModule } from '../features/deliveries/delivery.module';
import { AnalyticsModule } from '../features/analytics/analytics.module';
import { CohortModule } from '../features/cohorts/cohort.module';
import { DestinationModule } from '../features/destinations/destination.module';
import { ClockModule } from '../features/clocks/clock.module';
import { EventModule } from '../features/events/event.module';
import { MetricModule } from '../features/metrics/metric.module';
import { MotionModule } from '../features/motions/motion.module';
import { OperationalEventModule } from '../features/operational-events/operational-event.module';
import { eventReference } from '../features/fixtures/event-reference';
import { FixtureModule } from '../features/fixtures/fixture.module';
import { ImportModule } from '../features/imports/import.module';
import { CreditModule } from '../features/credits/credit.module';
import { PaymentModule } from '../features/payments/payment.module';
import { RefundModule } from '../features/refunds/refund.module';
import { LocalListenerModule } from '../features/local-listeners/local-listener.module';
import { OutboxModule } from '../features/outbox/outbox.module';
import { PlanModule } from '../features/plans/plan.module';
import { ReplayModule } from '../features/replays/replay.module';
import { SearchModule } from '../features/search/search.module';
import { ConsoleModule } from '../features/console/console.module';
import { AuditModule } from '../features/audit/audit.module';
import { MasterKeyModule } from '../features/master-key/master-key.module';
import { StoreModule } from '../features/store/store.module';
import { RebuildModule } from '../features/rebuilds/rebuild.module';
import { deliverableEvents } from '../domain/subscriber-stream/subscriber.aggregate';
import { SubscriberModule } from '../features/subscribers/subscriber.module';
import { SubscriptionModule } from '../features/subscriptions/subscription.module';
import { TimerModule } from '../services/timers/timer.module';
import { TenantModule } from '../features/tenants/tenant.module';
import { TicketModule } from '../features/tickets/ticket.module';
import { HttpModule } from '../http/pipeline/http.module';
import { LoopsModule } from './loops.module';
import { HealthModule } from './health.module';
import { ProjectionListModule } from './projection-list.module';
import { ProjectionsModule } from '../projections/projections.module';
import { ReadModelsModule } from '../read-models/read-models.module';
import { RuntimeModule, type RuntimeParts } from './runtime.module';

const machinery = [
  EventStoreModule,
  ReadModelsModule,
  ProjectionsModule,
  DeliveryModule,
  HttpModule,
  HealthModule,
];

const features = [
  TenantModule,
  ApiKeyModule,
  OperatorTokenModule,
  DestinationModule,
  DeliveryLogModule,
  LocalListenerModule,
  OperationalEventModule,
  OutboxModule,
  PlanModule,
  SubscriberModule,
  SubscriptionModule,
  TicketModule,
  PaymentModule,
  RefundModule,
  CreditModule,
  TimerModule,
  ClockModule,
  CohortModule,
  MotionModule,
  MetricModule,
  AnalyticsModule,
  EventModule,
  ImportModule,
  FixtureModule,
  ReplayModule,
  RebuildModule,
  StoreModule,
  MasterKeyModule,
  AuditModule,
  ConsoleModule,
  SearchModule,
];

const catalogue = new EventCatalogue([deliverableEvents]);

/** Everything, wired. What runs beside the HTTP server is in `loops.module.ts`. */
@Module({})
export class AppModule {
  static of(parts: Pick<RuntimeParts, 'config' | 'runtime'>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        RuntimeModule.of({
          ...parts,
          catalogue,
          eventReference: eventReference(catalogue),
        }),
        CqrsModule.forRoot(),
        ProjectionListModule,
        ...machinery,
        ...features,
        LoopsModule,
      ],
    };
  }
}
