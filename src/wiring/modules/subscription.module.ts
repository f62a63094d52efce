import { Module } from '@nestjs/common';
import { provideBy } from './provide';
import { Aggregates } from '../../event-store/aggregates';
import { EventStoreModule } from './event-store.module';
import { ReadModelsModule } from './read-models.module';
import { Collectors } from '../../services/billing/collection';
import { TenantDirectory } from '../../directories/tenant.directory';
import { TenantModule } from './tenant.module';
import { Billing } from '../../services/billing/billing';
import { CreateSubscriptionHandler } from '../../features/subscriptions/subscription-creation';
import {
  CancelSubscriptionHandler,
  ChangePlanHandler,
  PauseSubscriptionHandler,
  PreviewPlanChangeHandler,
  ReactivateSubscriptionHandler,
  ResumeSubscriptionHandler,
  UncancelSubscriptionHandler,
  UpdatePaymentMethodHandler,
} from '../../features/subscriptions/subscription.commands';
import { SubscriptionController } from '../../features/subscriptions/subscription.controller';
import {
  GetSubscriptionAtHandler,
  GetSubscriptionHandler,
  ListSubscriptionsHandler,
} from '../../features/subscriptions/subscription.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, TenantModule],
  controllers: [SubscriptionController],
  providers: [
    provideBy(
      Billing,
      { aggregates: Aggregates, tenants: TenantDirectory },
      ({ aggregates, tenants }) => new Billing(aggregates, new Collectors(), tenants),
    ),
    CreateSubscriptionHandler,
    PauseSubscriptionHandler,
    ResumeSubscriptionHandler,
    CancelSubscriptionHandler,
    UncancelSubscriptionHandler,
    ReactivateSubscriptionHandler,
    ChangePlanHandler,
    PreviewPlanChangeHandler,
    UpdatePaymentMethodHandler,
    GetSubscriptionHandler,
    GetSubscriptionAtHandler,
    ListSubscriptionsHandler,
  ],
  exports: [Billing],
})
export class SubscriptionModule {}
