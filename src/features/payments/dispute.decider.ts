import { DomainError } from '../../kernel/errors';
import { type Payments, requirePayment } from './payment.decider';
import {
  DISPUTE_STATUSES,
  type DisputeStatus,
  type Payment,
  type PaymentFact,
} from './payment.events';

/**
 * What may follow each state of a dispute, by its next state: it is opened, then won or lost, and that
 * is final. The decisions name the three and no order (decisions 1.8); this is a card dispute's.
 */
const BEFORE: Readonly<Record<DisputeStatus, DisputeStatus | null>> = {
  open: null,
  won: 'open',
  lost: 'open',
};

/** What the provider says of a dispute; the same again changes nothing. */
export const dispute =
  (paymentId: string, status: DisputeStatus) =>
  (state: { readonly payments: Payments }): PaymentFact[] => {
    const payment = requirePayment(state, paymentId);
    if (payment.status !== 'succeeded') throw notPaid(payment);
    const current = state.payments.disputes[paymentId] ?? null;
    if (current === status) return [];
    if (BEFORE[status] !== current) throw outOfOrder(current, status);
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

const notPaid = ({ status }: Payment): DomainError =>
  new DomainError('invalid_state_transition', 'Only a payment that succeeded can be disputed.', {
    details: { current_status: status, allowed: ['succeeded'] },
  });

/** The statuses are the dispute's here: in which of them the same report would be taken. */
const outOfOrder = (current: DisputeStatus | null, status: DisputeStatus): DomainError =>
  new DomainError(
    'invalid_state_transition',
    current === null ? 'The payment is not disputed.' : `The dispute is ${current}.`,
    {
      details: {
        current_status: current,
        allowed: DISPUTE_STATUSES.filter((each) => each === BEFORE[status]),
      },
    },
  );
