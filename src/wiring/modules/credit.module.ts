import { Module } from '@nestjs/common';
import { EventStoreModule } from './event-store.module';
import { ReadModelsModule } from './read-models.module';
import { SubscriptionModule } from './subscription.module';
import { TenantModule } from './tenant.module';
import { GrantCreditHandler, VoidCreditHandler } from '../../features/credits/credit.commands';
import { CreditController } from '../../features/credits/credit.controller';
import {
  GetCreditHandler,
  ListCreditsHandler,
  ListCreditTransactionsHandler,
} from '../../features/credits/credit.queries';

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
