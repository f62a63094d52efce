import { Module } from '@nestjs/common';
import { EventStoreModule } from './event-store.module';
import { ReadModelsModule } from './read-models.module';
import { TenantModule } from './tenant.module';
import { SubscriptionModule } from './subscription.module';
import { CreateRefundHandler, ReportRefundHandler } from '../../features/refunds/refund.commands';
import { RefundController } from '../../features/refunds/refund.controller';
import { GetRefundHandler, ListRefundsHandler } from '../../features/refunds/refund.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, SubscriptionModule, TenantModule],
  controllers: [RefundController],
  providers: [CreateRefundHandler, ReportRefundHandler, GetRefundHandler, ListRefundsHandler],
})
export class RefundModule {}
