import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DeliveryModule } from '../delivery/delivery.module';
import { DeliveryProjection } from '../delivery/journal/delivery.projection';
import { EventCatalogue } from '../event-store/catalogue';
import { EventStoreModule } from '../event-store/event-store.module';
import { ApiKeyModule } from '../features/api-keys/api-key.module';
import { OperatorTokenModule } from '../features/operator-tokens/operator-token.module';
import { DeliveryLogModule } from '../features/deliveries/delivery.module';
import { AnalyticsModule } from '../features/analytics/analytics.module';
import { CohortModule } from '../features/cohorts/cohort.module';
import {
  CohortMemberProjection,
  CohortSubjectProjection,
} from '../features/cohorts/cohort.projection';
import { DestinationModule } from '../features/destinations/destination.module';
import { ClockModule } from '../features/clocks/clock.module';
import { ClockProjection } from '../features/clocks/clock.projection';
import { EventModule } from '../features/events/event.module';
import { EventProjection } from '../features/events/event.projection';
import { MetricModule } from '../features/metrics/metric.module';
import { MetricProjection } from '../features/metrics/metric.projection';
import { MotionModule } from '../features/motions/motion.module';
import { MotionRunProjection } from '../features/motions/motion.projection';
import { DeferredAlertProjection } from '../services/alerting/alert.projection';
import { OperationalEventModule } from '../features/operational-events/operational-event.module';
import { OperationalEventProjection } from '../features/operational-events/operational-event.projection';
import { eventReference } from '../features/fixtures/event-reference';
import { FixtureModule } from '../features/fixtures/fixture.module';
import { ImportModule } from '../features/imports/import.module';
import { ImportProjection } from '../features/imports/import.projection';
import { CreditModule } from '../features/credits/credit.module';
import { CreditProjection } from '../features/credits/credit.projection';
import { PaymentModule } from '../features/payments/payment.module';
import { PaymentProjection } from '../features/payments/payment.projection';
import { RefundModule } from '../features/refunds/refund.module';
import { RefundProjection } from '../features/refunds/refund.projection';
import { LocalListenerModule } from '../features/local-listeners/local-listener.module';
import { OutboxModule } from '../features/outbox/outbox.module';
import { PlanModule } from '../features/plans/plan.module';
import { PlanProjection } from '../features/plans/plan.projection';
import { ReplayModule } from '../features/replays/replay.module';
import { ReplayProjection } from '../features/replays/replay.projection';
import { SearchModule } from '../features/search/search.module';
import { ConsoleModule } from '../features/console/console.module';
import { AuditModule } from '../features/audit/audit.module';
import { AuditProjection } from '../features/audit/audit.projection';
import { MasterKeyModule } from '../features/master-key/master-key.module';
import { StoreModule } from '../features/store/store.module';
import { RebuildModule } from '../features/rebuilds/rebuild.module';
import { deliverableEvents } from '../domain/subscriber-stream/subscriber.aggregate';
import { SubscriberModule } from '../features/subscribers/subscriber.module';
import { SubscriberProjection } from '../features/subscribers/subscriber.projection';
import { SubscriptionModule } from '../features/subscriptions/subscription.module';
import { SubscriptionProjection } from '../features/subscriptions/subscription.projection';
import { TimerModule } from '../services/timers/timer.module';
import { TimerProjection } from '../services/timers/timer.projection';
import { TenantModule } from '../features/tenants/tenant.module';
import { TicketModule } from '../features/tickets/ticket.module';
import { TicketProjection } from '../features/tickets/ticket.projection';
import { HttpModule } from '../http/pipeline/http.module';
import { LoopsModule } from './loops.module';
import { HealthModule } from './health.module';
import { Projections } from '../projections/projection';
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

const projections = new Projections([
  new EventProjection(),
  new SubscriberProjection(),
  new SubscriptionProjection(),
  new TicketProjection(),
  new ImportProjection(),
  new PlanProjection(),
  new PaymentProjection(),
  new RefundProjection(),
  new CreditProjection(),
  new TimerProjection(),
  new ClockProjection(),
  new DeliveryProjection(),
  new ReplayProjection(),
  new OperationalEventProjection(),
  new DeferredAlertProjection(),
  new CohortSubjectProjection(),
  new CohortMemberProjection(),
  new MetricProjection(),
  new MotionRunProjection(),
  new AuditProjection(),
]);

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
          projections,
          eventReference: eventReference(catalogue),
        }),
        CqrsModule.forRoot(),
        ...machinery,
        ...features,
        LoopsModule,
      ],
    };
  }
}
