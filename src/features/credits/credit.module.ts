import { Module } from '@nestjs/common';
import { EventStoreModule } from '../../event-store/event-store.module';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { SubscriptionModule } from '../subscriptions/subscription.module';
import { TenantModule } from '../tenants/tenant.module';
import { GrantCreditHandler, VoidCreditHandler } from './credit.commands';
import { CreditController } from './credit.controller';
import {
  GetCreditHandler,
  ListCreditsHandler,
  ListCreditTransactionsHandler,
} from './credit.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, SubscriptionModule, TenantModule],
  controllers: [CreditController],
  providers: [
    GrantCreditHandler,
    VoidCreditHandler,
    GetCreditHandler,
    ListCreditsHandler,
    ListCreditTransactionsHandler,
  ],
})
export class CreditModule {}
