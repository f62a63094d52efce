import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DeliveryModule } from './modules/delivery.module';
import { DeliveryProjection } from '../delivery/journal/delivery.projection';
import { EventCatalogue } from '../event-store/catalogue';
import { EventStoreModule } from './modules/event-store.module';
import { ApiKeyModule } from './modules/api-key.module';
import { OperatorTokenModule } from './modules/operator-token.module';
import { DeliveryLogModule } from './modules/delivery-log.module';
import { AnalyticsModule } from './modules/analytics.module';
import { CohortModule } from './modules/cohort.module';
import {
  CohortMemberProjection,
  CohortSubjectProjection,
} from '../features/cohorts/cohort.projection';
import { DestinationModule } from './modules/destination.module';
import { ClockModule } from './modules/clock.module';
import { ClockProjection } from '../features/clocks/clock.projection';
import { EventModule } from './modules/event.module';
import { EventProjection } from '../features/events/event.projection';
import { MetricModule } from './modules/metric.module';
import { MetricProjection } from '../features/metrics/metric.projection';
import { MotionModule } from './modules/motion.module';
import { MotionRunProjection } from '../features/motions/motion.projection';
import { DeferredAlertProjection } from '../services/alerting/alert.projection';
import { OperationalEventModule } from './modules/operational-event.module';
import { OperationalEventProjection } from '../features/operational-events/operational-event.projection';
import { eventReference } from '../features/fixtures/event-reference';
import { FixtureModule } from './modules/fixture.module';
import { ImportModule } from './modules/import.module';
import { ImportProjection } from '../features/imports/import.projection';
import { CreditModule } from './modules/credit.module';
import { CreditProjection } from '../features/credits/credit.projection';
import { PaymentModule } from './modules/payment.module';
import { PaymentProjection } from '../features/payments/payment.projection';
import { RefundModule } from './modules/refund.module';
import { RefundProjection } from '../features/refunds/refund.projection';
import { LocalListenerModule } from './modules/local-listener.module';
import { OutboxModule } from './modules/outbox.module';
import { PlanModule } from './modules/plan.module';
import { PlanProjection } from '../features/plans/plan.projection';
import { ReplayFeatureModule } from './modules/replay-feature.module';
import { ReplayProjection } from '../features/replays/replay.projection';
import { SearchModule } from './modules/search.module';
import { ConsoleModule } from './modules/console.module';
import { AuditModule } from './modules/audit.module';
import { AuditProjection } from '../features/audit/audit.projection';
import { MasterKeyModule } from './modules/master-key.module';
import { StoreModule } from './modules/store.module';
import { RebuildModule } from './modules/rebuild.module';
import { deliverableEvents } from '../domain/subscriber-stream/subscriber.aggregate';
import { SubscriberModule } from './modules/subscriber.module';
import { SubscriberProjection } from '../features/subscribers/subscriber.projection';
import { SubscriptionModule } from './modules/subscription.module';
import { SubscriptionProjection } from '../features/subscriptions/subscription.projection';
import { TimerModule } from './modules/timer.module';
import { TimerProjection } from '../services/timers/timer.projection';
import { TenantModule } from './modules/tenant.module';
import { TicketModule } from './modules/ticket.module';
import { TicketProjection } from '../features/tickets/ticket.projection';
import { HttpModule } from './modules/http.module';
import { LoopsModule } from './modules/loops.module';
import { HealthModule } from './modules/health.module';
import { Projections } from '../projections/projection';
import { ProjectionsModule } from './modules/projections.module';
import { ReadModelsModule } from './modules/read-models.module';
import { RuntimeModule, type RuntimeParts } from './modules/runtime.module';

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
  ReplayFeatureModule,
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

/** The whole application. The loops that run beside the HTTP server are in `loops.module.ts`. */
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
