import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Versioned } from '../../http/pipeline/presentation';
import type { TenantContext } from '../../kernel/scope';
import { requireOwner } from '../../kernel/required-ids';
import { Billing, type BillingResult } from '../../services/billing/billing';
import {
  type AttemptReport,
  reportAttempt,
  retryPaymentManually,
} from '../../domain/billing/payment-outcome';
import { recordDispute } from '../../domain/billing/dispute';
import { requirePayment } from '../../domain/billing/payment.decider';
import { viewPayment } from './payment.dto';
import type { DisputeStatus, Payment } from '../../domain/billing/payment.events';

type WrittenPayment = Versioned<Payment>;

export class RetryPayment extends Command<WrittenPayment> {
  constructor(
    readonly context: TenantContext,
    readonly paymentId: string,
  ) {
    super();
  }
}

export class ReportAttempt extends Command<WrittenPayment> {
  constructor(
    readonly context: TenantContext,
    readonly report: AttemptReport,
  ) {
    super();
  }
}

export class DisputePayment extends Command<WrittenPayment> {
  constructor(
    readonly context: TenantContext,
    readonly paymentId: string,
    readonly status: DisputeStatus,
  ) {
    super();
  }
}

const findPaymentOwner = (
  id: string,
): { readonly subscriberId: string; readonly param: string } => {
  const subscriberId = requireOwner('pay', id, 'paymentId');
  return { subscriberId, param: 'paymentId' };
};

const viewWritten = ({ state, revision }: BillingResult, id: string): WrittenPayment =>
  new Versioned(viewPayment(requirePayment(state, id)), revision + 1);

@CommandHandler(RetryPayment)
export class RetryPaymentHandler implements ICommandHandler<RetryPayment> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, paymentId }: RetryPayment): Promise<WrittenPayment> {
    const result = await this.billing.runForSubscriber(
      context,
      findPaymentOwner(paymentId),
      (draft, effects) => retryPaymentManually(draft, effects, paymentId),
    );
    return viewWritten(result, paymentId);
  }
}

@CommandHandler(ReportAttempt)
export class ReportAttemptHandler implements ICommandHandler<ReportAttempt> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, report: reported }: ReportAttempt): Promise<WrittenPayment> {
    const whose = findPaymentOwner(reported.paymentId);
    const byProvider: TenantContext = { ...context, actor: 'provider' };
    const result = await this.billing.runForSubscriber(byProvider, whose, (draft, effects) => {
      reportAttempt(draft, effects, reported);
    });
    return viewWritten(result, reported.paymentId);
  }
}

@CommandHandler(DisputePayment)
export class DisputePaymentHandler implements ICommandHandler<DisputePayment> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, paymentId, status }: DisputePayment): Promise<WrittenPayment> {
    // A dispute is a report by the bank, not a request, so it is accepted even if the subscriber
    // was erased.
    const { subscriberId } = findPaymentOwner(paymentId);
    const result = await this.billing.run(context, subscriberId, (draft) => {
      draft.add(...recordDispute(paymentId, status)(draft.state));
    });
    return viewWritten(result, paymentId);
  }
}
