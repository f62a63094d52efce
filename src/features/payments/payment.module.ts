import { Module } from '@nestjs/common';
import { EventStoreModule } from '../../event-store/event-store.module';
import { ReadModelsModule } from '../../read-models/read-models.module';
import { SubscriptionModule } from '../subscriptions/subscription.module';
import {
  DisputePaymentHandler,
  ReportAttemptHandler,
  RetryPaymentHandler,
} from './payment.commands';
import { PaymentController } from './payment.controller';
import { GetPaymentHandler, ListAttemptsHandler, ListPaymentsHandler } from './payment.queries';

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
