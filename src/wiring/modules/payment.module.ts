import { Module } from '@nestjs/common';
import { EventStoreModule } from './event-store.module';
import { ReadModelsModule } from './read-models.module';
import { SubscriptionModule } from './subscription.module';
import {
  DisputePaymentHandler,
  ReportAttemptHandler,
  RetryPaymentHandler,
} from '../../features/payments/payment.commands';
import { PaymentController } from '../../features/payments/payment.controller';
import {
  GetPaymentHandler,
  ListAttemptsHandler,
  ListPaymentsHandler,
} from '../../features/payments/payment.queries';

@Module({
  imports: [EventStoreModule, ReadModelsModule, SubscriptionModule],
  controllers: [PaymentController],
  providers: [
    RetryPaymentHandler,
    ReportAttemptHandler,
    DisputePaymentHandler,
    GetPaymentHandler,
    ListPaymentsHandler,
    ListAttemptsHandler,
  ],
})
export class PaymentModule {}
