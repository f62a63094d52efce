import type { DomainError } from '../../kernel/errors';
import { wrongStateError } from '../../kernel/wrong-state';
import { type Payments, requirePayment } from './payment.decider';
import type { DisputeStatus, Payment, PaymentFact } from './payment.events';

/**
 * The dispute states in which each report is accepted; null means not disputed. The decisions name
 * the three states but no order (1.8). Won and lost are final and may be the first report.
 */
const ALLOWED_BEFORE: Readonly<Record<DisputeStatus, readonly (DisputeStatus | null)[]>> = {
  open: [null],
  won: [null, 'open'],
  lost: [null, 'open'],
};

/** Records a dispute status from the provider. The same status again changes nothing. */
export const recordDispute =
  (paymentId: string, status: DisputeStatus) =>
  (state: { readonly payments: Payments }): PaymentFact[] => {
    const payment = requirePayment(state, paymentId);
    if (payment.status !== 'succeeded') throw notDisputableError(payment);
    const current = state.payments.disputes[paymentId] ?? null;
    if (current === status) return [];
    if (current !== null && !ALLOWED_BEFORE[status].includes(current))
      throw outOfOrderError(current, status);
    return [
      {
        type: 'payment.disputed',
        subscriptionId: payment.subscription_id,
        data: {
          payment_id: payment.id,
          amount: payment.amount,
          currency: payment.currency,
          dispute_status: status,
          actor: 'provider',
        },
      },
    ];
  };

const notDisputableError = ({ status }: Payment): DomainError =>
  wrongStateError('status of the payment', { status, allowed: ['succeeded'] });

/** Refuses a report. The details name the dispute states in which it would be accepted. */
const outOfOrderError = (current: DisputeStatus, status: DisputeStatus): DomainError =>
  wrongStateError('dispute', { status: current, allowed: ALLOWED_BEFORE[status] });
