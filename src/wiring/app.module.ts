import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DeliveryModule } from './modules/delivery.module';
import { EventCatalogue } from '../event-store/catalogue';
import { EventStoreModule } from './modules/event-store.module';
import { ApiKeyModule } from './modules/api-key.module';
import { OperatorTokenModule } from './modules/operator-token.module';
import { DeliveryLogModule } from './modules/delivery-log.module';
import { AnalyticsModule } from './modules/analytics.module';
import { CohortModule } from './modules/cohort.module';
import { DestinationModule } from './modules/destination.module';
import { ClockModule } from './modules/clock.module';
import { EventModule } from './modules/event.module';
import { MetricModule } from './modules/metric.module';
import { MotionModule } from './modules/motion.module';
import { OperationalEventModule } from './modules/operational-event.module';
import { createEventReference } from '../features/fixtures/event-reference';
import { FixtureModule } from './modules/fixture.module';
import { ImportModule } from './modules/import.module';
import { CreditModule } from './modules/credit.module';
import { PaymentModule } from './modules/payment.module';
import { RefundModule } from './modules/refund.module';
import { LocalListenerModule } from './modules/local-listener.module';
import { OutboxModule } from './modules/outbox.module';
import { PlanModule } from './modules/plan.module';
import { ReplayFeatureModule } from './modules/replay-feature.module';
import { OperationsModule } from './modules/operations.module';
import { SearchModule } from './modules/search.module';
import { ConsoleModule } from './modules/console.module';
import { AuditModule } from './modules/audit.module';
import { MasterKeyModule } from './modules/master-key.module';
import { StoreModule } from './modules/store.module';
import { RebuildModule } from './modules/rebuild.module';
import { deliverableEvents } from '../domain/subscriber-stream/subscriber.aggregate';
import { SubscriberModule } from './modules/subscriber.module';
import { SubscriptionModule } from './modules/subscription.module';
import { TimerModule } from './modules/timer.module';
import { TenantModule } from './modules/tenant.module';
import { TicketModule } from './modules/ticket.module';
import { HttpModule } from './modules/http.module';
import { LoopsModule } from './modules/loops.module';
import { HealthModule } from './modules/health.module';
import { ProjectionListModule } from './modules/projection-list.module';
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
  OperationsModule,
];

const catalogue = new EventCatalogue([deliverableEvents]);

/** The whole application. The loops that run beside the HTTP server are in `loops.module.ts`. */
@Module({})
export class AppModule {
  static create(parts: Pick<RuntimeParts, 'config' | 'runtime'>): DynamicModule {
    return {
      module: AppModule,
      imports: [
        RuntimeModule.create({
          ...parts,
          catalogue,
          eventReference: createEventReference(catalogue),
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
