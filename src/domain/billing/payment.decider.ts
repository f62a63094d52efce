import { OrderedMap } from 'immutable';
import type { Dated } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import type { Currency, MinorUnits } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { Refund, RefundFact } from './refund.events';
import type { SubscriptionFact } from './subscription.events';
import type { DisputeStatus, Payment, PaymentFact } from './payment.events';

/** What the subscriber has paid so far, by currency (D-20: succeeded minus refunded). */
interface Paid {
  readonly byCurrency: Readonly<Record<string, MinorUnits>>;
  /** Of the latest success. */
  readonly currency: Currency | null;
  readonly lastAt: Instant | null;
}

/** The subscriber's payments. */
export interface Payments {
  /** However many there are, one more copies next to nothing. */
  readonly byId: OrderedMap<string, Payment>;
  /** What the provider said last of a payment's dispute; absent where there is none. */
  readonly disputes: Readonly<Record<string, DisputeStatus>>;
  readonly paid: Paid;
}

export const noPayments: Payments = {
  byId: OrderedMap(),
  disputes: {},
  paid: { byCurrency: {}, currency: null, lastAt: null },
};

type Told = Dated<PaymentFact> | Dated<RefundFact> | Dated<SubscriptionFact>;

export const evolvePayments = (payments: Payments, fact: Told): Payments => {
  switch (fact.type) {
    case 'payment.succeeded':
      return {
        ...payments,
        byId: payments.byId.set(fact.data.payment.id, fact.data.payment),
        paid: addPaid(payments.paid, fact.data.payment, fact.data.payment.succeeded_at ?? fact.at),
      };
    case 'payment.due':
    case 'payment.failed':
    case 'payment.recovered':
    case 'payment.recovery_lost':
    case 'payment.refund_failed':
      return withPayments(payments, [fact.data.payment]);
    case 'payment.refunded':
      return {
        ...withPayments(payments, [fact.data.payment]),
        paid: subtractRefund(payments.paid, fact.data.refund),
      };
    case 'payment.disputed': {
      const { payment_id: id, dispute_status: status } = fact.data;
      return { ...payments, disputes: { ...payments.disputes, [id]: status } };
    }
    case 'subscription.cancelled':
    case 'subscription.lapsed':
      return withPayments(payments, fact.data.closing.payments);
    default:
      return payments;
  }
};

const withPayments = (payments: Payments, changed: readonly Payment[]): Payments => ({
  ...payments,
  byId: payments.byId.concat(changed.map((each) => [each.id, each])),
});

/** Money that came in: what credits paid came in before, or never. */
export const collected = ({ amount, credit_applied }: Payment): MinorUnits =>
  amount - credit_applied;

/** History may be brought in out of order: only a later payment is the latest. */
const addPaid = (paid: Paid, payment: Payment, at: Instant): Paid => {
  const byCurrency = added(paid.byCurrency, payment.currency, collected(payment));
  return paid.lastAt !== null && at < paid.lastAt
    ? { ...paid, byCurrency }
    : { byCurrency, currency: payment.currency, lastAt: at };
};

/** What became credit stays here. */
const subtractRefund = (paid: Paid, { currency, returned }: Refund): Paid => ({
  ...paid,
  byCurrency: added(paid.byCurrency, currency, -returned),
});

const added = (
  byCurrency: Paid['byCurrency'],
  currency: Currency,
  amount: MinorUnits,
): Paid['byCurrency'] => ({ ...byCurrency, [currency]: (byCurrency[currency] ?? 0) + amount });

interface PaidView {
  readonly total_paid: MinorUnits;
  readonly paid_currency: Currency | null;
  readonly totals_by_currency: Record<string, MinorUnits>;
  readonly last_payment_at: Instant | null;
}

/** The money fields of a subscriber's record. */
export const viewPaid = ({ paid: { byCurrency, currency, lastAt } }: Payments): PaidView => ({
  total_paid: currency === null ? 0 : (byCurrency[currency] ?? 0),
  paid_currency: currency,
  totals_by_currency: { ...byCurrency },
  last_payment_at: lastAt,
});

export const hasPaid = ({ paid }: Payments): boolean => paid.lastAt !== null;

export const requirePayment = (
  { payments }: { readonly payments: Payments },
  paymentId: string,
): Payment => {
  const payment = payments.byId.get(paymentId);
  if (payment !== undefined) return payment;
  throw new DomainError('resource_not_found', 'No such payment.', {
    param: 'paymentId',
    details: { resource: 'payment' },
  });
};
