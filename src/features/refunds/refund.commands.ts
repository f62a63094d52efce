import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Versioned } from '../../http/pipeline/presentation';
import { notFound } from '../../kernel/errors';
import type { TenantContext } from '../../kernel/scope';
import { requireOwner } from '../../kernel/required-ids';
import { Billing, type SubscriberDraft } from '../../services/billing/billing';
import {
  refundPayment,
  type RefundReport,
  type RefundRequest,
  reportRefund,
  requireRefund,
} from '../../domain/billing/refund.decider';
import { viewRefund } from './refund.dto';
import type { Refund } from '../../domain/billing/refund.events';

type WrittenRefund = Versioned<Refund>;

export class CreateRefund extends Command<WrittenRefund> {
  constructor(
    readonly context: TenantContext,
    readonly request: RefundRequest,
  ) {
    super();
  }
}

export class ReportRefund extends Command<WrittenRefund> {
  constructor(
    readonly context: TenantContext,
    readonly report: RefundReport,
  ) {
    super();
  }
}

@CommandHandler(CreateRefund)
export class CreateRefundHandler implements ICommandHandler<CreateRefund> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, request }: CreateRefund): Promise<WrittenRefund> {
    const subscriberId = requireOwner('pay', request.paymentId, 'paymentId');
    const whose = { subscriberId, param: 'paymentId' };
    const result = await this.billing.runForSubscriber(context, whose, async (draft, effects) => {
      requireOwnTicket(draft, request.ticketId);
      await refundPayment(draft, effects, request);
    });
    const stated = result.facts.findLast((fact) => 'refund' in fact.data);
    const { id } = (stated as { data: { refund: Refund } }).data.refund;
    return new Versioned(viewRefund(requireRefund(result.state, id)), result.revision + 1);
  }
}

const requireOwnTicket = ({ state }: SubscriberDraft, ticketId: string | null): void => {
  if (ticketId === null) return;
  requireOwner('tkt', ticketId, 'ticket_id');
  if (state.tickets.has(ticketId)) return;
  throw notFound('ticket', 'ticket_id');
};

@CommandHandler(ReportRefund)
export class ReportRefundHandler implements ICommandHandler<ReportRefund> {
  constructor(private readonly billing: Billing) {}

  async execute({ context, report }: ReportRefund): Promise<WrittenRefund> {
    const owner = requireOwner('rfd', report.refundId, 'refundId');
    const byProvider: TenantContext = { ...context, actor: 'provider' };
    const { state, revision } = await this.billing.run(byProvider, owner, (draft, effects) => {
      reportRefund(draft, effects, report);
    });
    return new Versioned(viewRefund(requireRefund(state, report.refundId)), revision + 1);
  }
}
