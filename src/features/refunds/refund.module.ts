import { Module } from '@nestjs/common';
import { EventStoreModule } from '../../event-store/event-store.module';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { TenantModule } from '../tenants/tenant.module';
import { SubscriptionModule } from '../subscriptions/subscription.module';
import { CreateRefundHandler, ReportRefundHandler } from './refund.commands';
import { RefundController } from './refund.controller';
import { GetRefundHandler, ListRefundsHandler } from './refund.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, SubscriptionModule, TenantModule],
  controllers: [RefundController],
  providers: [CreateRefundHandler, ReportRefundHandler, GetRefundHandler, ListRefundsHandler],
})
export class RefundModule {}
