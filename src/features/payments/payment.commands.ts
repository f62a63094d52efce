import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Versioned } from '../../http/pipeline/presentation';
import { notFound } from '../../kernel/errors';
import { findOwner } from '../../kernel/ids';
import type { TenantContext } from '../../kernel/scope';
import { Billing, type BillingResult } from '../../services/billing/billing';
import { type Report, report, retryByHand } from '../../domain/billing/settling';
import { dispute } from '../../domain/billing/dispute';
import { requirePayment } from '../../domain/billing/payment.decider';
import { viewPayment } from './payment.dto';
import type { DisputeStatus, Payment } from '../../domain/billing/payment.events';

type Written = Versioned<Payment>;

export class RetryPayment extends Command<Written> {
  constructor(
    readonly context: TenantContext,
    readonly paymentId: string,
  ) {
    super();
  }
}

export class ReportAttempt extends Command<Written> {
  constructor(
    readonly context: TenantContext,
    readonly report: Report,
  ) {
    super();
  }
}

export class DisputePayment extends Command<Written> {
  constructor(
    readonly context: TenantContext,
    readonly paymentId: string,
    readonly status: DisputeStatus,
  ) {
    super();
  }
}

const whoseIs = (id: string): { readonly subscriberId: string; readonly param: string } => {
  const subscriberId = findOwner('pay', id);
  if (subscriberId === null) throw notFound('payment', 'paymentId');
  return { subscriberId, param: 'paymentId' };
};

const written = ({ state, revision }: BillingResult, id: string): Written =>
  new Versioned(viewPayment(requirePayment(state, id)), revision + 1);

@CommandHandler(RetryPayment)
export class RetryPaymentHandler implements ICommandHandler<RetryPayment> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, paymentId }: RetryPayment): Promise<Written> {
    const result = await this.billing.runForSubscriber(
      context,
      whoseIs(paymentId),
      (draft, world) => retryByHand(draft, world, paymentId),
    );
    return written(result, paymentId);
  }
}

@CommandHandler(ReportAttempt)
export class ReportAttemptHandler implements ICommandHandler<ReportAttempt> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, report: reported }: ReportAttempt): Promise<Written> {
    const whose = whoseIs(reported.paymentId);
    const byProvider: TenantContext = { ...context, actor: 'provider' };
    const result = await this.billing.runForSubscriber(byProvider, whose, (draft, world) => {
      report(draft, world, reported);
    });
    return written(result, reported.paymentId);
  }
}

@CommandHandler(DisputePayment)
export class DisputePaymentHandler implements ICommandHandler<DisputePayment> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, paymentId, status }: DisputePayment): Promise<Written> {
    // A dispute is a report and not a command, so it is accepted even if the subscriber was erased.
    const { subscriberId } = whoseIs(paymentId);
    const result = await this.billing.run(context, subscriberId, (draft) => {
      draft.add(...dispute(paymentId, status)(draft.state));
    });
    return written(result, paymentId);
  }
}
