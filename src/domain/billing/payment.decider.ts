import { OrderedMap } from 'immutable';
import { type Dated, unreachable } from '../../kernel/decider';
import { notFound } from '../../kernel/errors';
import type { Currency, MinorUnits } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import type { Refund, RefundFact } from './refund.events';
import type { DisputeStatus, Payment, PaymentFact } from './payment.events';

/** The sum of the subscriber's payments by currency (D-20: succeeded minus refunded). */
interface PaidTotals {
  readonly byCurrency: Readonly<Record<string, MinorUnits>>;
  /** The currency of the latest successful payment. */
  readonly currency: Currency | null;
  readonly lastAt: Instant | null;
}

/** The subscriber's payments. */
export interface Payments {
  /** A persistent map, because one more payment then costs little to copy. */
  readonly byId: OrderedMap<string, Payment>;
  /** The last dispute status that the provider reported, by payment id. */
  readonly disputes: Readonly<Record<string, DisputeStatus>>;
  readonly paid: PaidTotals;
}

export const noPayments: Payments = {
  byId: OrderedMap(),
  disputes: {},
  paid: { byCurrency: {}, currency: null, lastAt: null },
};

export const evolvePayments = (
  payments: Payments,
  fact: Dated<PaymentFact> | Dated<RefundFact>,
): Payments => {
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
      return replacePayments(payments, [fact.data.payment]);
    case 'payment.refunded':
      return {
        ...replacePayments(payments, [fact.data.payment]),
        paid: subtractRefund(payments.paid, fact.data.refund),
      };
    case 'payment.disputed': {
      const { payment_id: id, dispute_status: status } = fact.data;
      return { ...payments, disputes: { ...payments.disputes, [id]: status } };
    }
    case 'payment.method_updated':
    case 'payment.method_expiring':
    case 'payment.refund_requested':
      return payments;
    default:
      return unreachable(fact);
  }
};

/** Replaces payments by their changed versions. */
export const replacePayments = (payments: Payments, changed: readonly Payment[]): Payments => ({
  ...payments,
  byId: payments.byId.concat(changed.map((each) => [each.id, each])),
});

/**
 * The amount of money that the provider collected for a payment. Credits are not counted: their money
 * was collected with an earlier payment, or the tenant granted them for free.
 */
export const getCollected = ({ amount, credit_applied }: Payment): MinorUnits =>
  amount - credit_applied;

/**
 * Adds a payment. Imported history may be out of order, so only a later payment becomes the latest.
 */
const addPaid = (paid: PaidTotals, payment: Payment, at: Instant): PaidTotals => {
  const byCurrency = addAmount(paid.byCurrency, payment.currency, getCollected(payment));
  return paid.lastAt !== null && at < paid.lastAt
    ? { ...paid, byCurrency }
    : { byCurrency, currency: payment.currency, lastAt: at };
};

/** Subtracts the returned money. The part that became credit stays in the total. */
const subtractRefund = (paid: PaidTotals, { currency, returned }: Refund): PaidTotals => ({
  ...paid,
  byCurrency: addAmount(paid.byCurrency, currency, -returned),
});

const addAmount = (
  byCurrency: PaidTotals['byCurrency'],
  currency: Currency,
  amount: MinorUnits,
): PaidTotals['byCurrency'] => ({
  ...byCurrency,
  [currency]: (byCurrency[currency] ?? 0) + amount,
});

interface PaidView {
  readonly total_paid: MinorUnits;
  readonly paid_currency: Currency | null;
  readonly totals_by_currency: Record<string, MinorUnits>;
  readonly last_payment_at: Instant | null;
}

/** Returns the money fields of a subscriber's record. */
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
  throw notFound('payment', 'paymentId');
};
