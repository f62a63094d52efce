import { EventProjection } from '../../features/events/event.projection';
import { SubscriberProjection } from '../../features/subscribers/subscriber.projection';
import { SubscriptionProjection } from '../../features/subscriptions/subscription.projection';
import { TicketProjection } from '../../features/tickets/ticket.projection';
import { ImportProjection } from '../../features/imports/import.projection';
import { PlanProjection } from '../../features/plans/plan.projection';
import { PaymentProjection } from '../../features/payments/payment.projection';
import { RefundProjection } from '../../features/refunds/refund.projection';
import { CreditProjection } from '../../features/credits/credit.projection';
import { TimerProjection } from '../../services/timers/timer.projection';
import { ClockProjection } from '../../features/clocks/clock.projection';
import { DeliveryProjection } from '../../delivery/journal/delivery.projection';
import { ReplayProjection } from '../../features/replays/replay.projection';
import { OperationalEventProjection } from '../../features/operational-events/operational-event.projection';
import { DeferredAlertProjection } from '../../services/alerting/alert.projection';
import { MetricProjection } from '../../features/metrics/metric.projection';
import { MotionRunProjection } from '../../features/motions/motion.projection';
import { AuditProjection } from '../../features/audit/audit.projection';
import {
  CohortMemberProjection,
  CohortSubjectProjection,
} from '../../features/cohorts/cohort.projection';
import { Global, Module } from '@nestjs/common';
import { MasterKey } from '../../event-store/master-key';
import { Vault } from '../../event-store/vault';
import { SubscriberEmailProjection } from '../../features/subscribers/subscriber-email.projection';
import { Projections } from '../../projections/projection';
import { provideBy } from './provide';
import { EventStoreModule } from './event-store.module';

/** Every projection, for the projector, rebuilds and comparisons. */
const listProjections = (vault: Vault, masterKey: MasterKey): Projections =>
  new Projections([
    new EventProjection(),
    new SubscriberProjection(),
    new SubscriberEmailProjection(vault, masterKey),
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

@Global()
@Module({
  imports: [EventStoreModule],
  providers: [
    provideBy(Projections, { vault: Vault, masterKey: MasterKey }, ({ vault, masterKey }) =>
      listProjections(vault, masterKey),
    ),
  ],
  exports: [Projections],
})
export class ProjectionListModule {}
