import type { Dated } from '../../kernel/decider';
import type { Draft } from '../../kernel/draft';
import { DomainError, notFound } from '../../kernel/errors';
import type { MinorUnits } from '../../kernel/money';
import type { Instant } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import { type Credits, grantCredit } from './credit.decider';
import type { CreditFact } from './credit.events';
import type { ChargeOutcome, PaymentEffects } from './collecting';
import { getCollected, type Payments, requirePayment } from './payment.decider';
import type { Failure, Payment } from './payment.events';
import type { Refund, RefundFact, RefundReason } from './refund.events';
import { requirePossibleTime } from './reported-time';

/** The subscriber's refunds by id. */
export type Refunds = Readonly<Record<string, Refund>>;

export const noRefunds: Refunds = {};

export const evolveRefunds = (refunds: Refunds, { data }: Dated<RefundFact>): Refunds => ({
  ...refunds,
  [data.refund.id]: data.refund,
});

export const requireRefund = (
  { refunds }: { readonly refunds: Refunds },
  refundId: string,
): Refund => {
  const refund = refunds[refundId];
  if (refund === undefined) throw notFound('refund', 'refundId');
  return refund;
};

/** An order to a provider to return money. */
export interface RefundOrder {
  readonly refundId: string;
  readonly amount: MinorUnits;
  readonly payment: Payment;
}

interface RefundState {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly credits: Credits;
}

type RefundDraft = Draft<RefundState, RefundFact | CreditFact>;

type RefundEffects = Pick<PaymentEffects, 'actor' | 'motionRunId' | 'newId'> & {
  readonly refund: (order: RefundOrder) => Promise<ChargeOutcome>;
};

export interface RefundRequest {
  readonly paymentId: string;
  /** Null means the rest of the payment. */
  readonly amount: MinorUnits | null;
  readonly reason: RefundReason;
  readonly note: string | null;
  readonly ticketId: string | null;
  readonly destination: 'original' | 'credit';
  /**
   * The most that the caller may return of one payment, in all refunds together. Absent or null
   * means no limit.
   */
  readonly amountMax?: MinorUnits | null;
}

/** Refunds at most the rest of a payment (D-23). The subscription stays as it is. */
export const refundPayment = async (
  draft: RefundDraft,
  effects: RefundEffects,
  request: RefundRequest,
): Promise<Refund> => {
  const payment = requirePayment(draft.state, request.paymentId);
  const wanted = createRefund(draft, effects, { payment, request });
  const outcome: ChargeOutcome =
    wanted.returned === 0
      ? { kind: 'succeeded', providerRef: null }
      : await effects.refund({ refundId: wanted.id, amount: wanted.returned, payment });
  return recordRefundOutcome(draft, effects, { refund: wanted, outcome });
};

const requireWithinLimit = (amountMax: number, total: MinorUnits): void => {
  if (total <= amountMax) return;
  throw new DomainError(
    'refund_limit_exceeded',
    'More of this payment would be refunded than your role allows.',
    {
      param: 'amount',
      details: { amount_max: amountMax },
    },
  );
};

const createRefund = (
  { state, now }: RefundDraft,
  effects: RefundEffects,
  { payment, request }: { payment: Payment; request: RefundRequest },
): Refund => {
  requireRefundable(state, payment);
  const given = Object.values(state.refunds).filter(
    ({ payment_id, status }) =>
      payment_id === payment.id && (status === 'pending' || status === 'succeeded'),
  );
  const before = given.reduce((sum, { amount }) => sum + amount, 0);
  const left = payment.amount - before;
  const amount = request.amount ?? left;
  if (amount > left || amount === 0) throw exceedsRemainingError(left, request.amount);
  requireWithinLimit(request.amountMax ?? Infinity, before + amount);
  const money = getCollected(payment) - given.reduce((sum, { returned }) => sum + returned, 0);
  const { subscriber_id, subscription_id } = payment;
  const label = `${payment.id} ${given.length}`;
  const returned = request.destination === 'credit' ? 0 : Math.min(amount, money);
  return {
    id: effects.newId('rfd', subscriber_id, label),
    payment_id: payment.id,
    subscriber_id,
    subscription_id,
    amount,
    currency: payment.currency,
    status: 'pending',
    reason: request.reason,
    note: request.note,
    ticket_id: request.ticketId,
    destination: request.destination,
    credit_id: returned === amount ? null : effects.newId('crd', subscriber_id, label),
    failure: null,
    provider_ref: null,
    created_at: now,
    succeeded_at: null,
    returned,
  };
};

const requireRefundable = ({ payments }: RefundState, { id, status }: Payment): void => {
  if (status !== 'succeeded')
    throw wrongStateError('status of the payment', { status, allowed: ['succeeded'] });
  // The bank has already returned the money of a lost dispute, so a refund would return it twice.
  if (payments.disputes[id] === 'lost')
    throw wrongStateError('dispute of the payment', {
      status: 'lost',
      allowed: [null, 'open', 'won'],
      hint: ' The bank has already returned the money.',
    });
};

const exceedsRemainingError = (left: MinorUnits, asked: MinorUnits | null): DomainError =>
  new DomainError(
    'refund_amount_exceeds_remaining',
    left === 0
      ? 'This payment is fully refunded.'
      : `Only ${left} of the payment can still be refunded.`,
    {
      ...(asked === null ? {} : { param: 'amount' }),
      details: { remaining: left },
    },
  );

interface RefundOutcome {
  readonly refund: Refund;
  readonly outcome: ChargeOutcome;
  readonly occurredAt?: Instant;
}

const recordRefundOutcome = (
  draft: RefundDraft,
  effects: Pick<PaymentEffects, 'actor' | 'motionRunId'>,
  { refund: wanted, outcome, occurredAt = draft.now }: RefundOutcome,
): Refund => {
  switch (outcome.kind) {
    case 'pending':
      draft.add({
        type: 'payment.refund_requested',
        subscriptionId: wanted.subscription_id,
        data: { refund: wanted, actor: effects.actor },
      });
      return wanted;
    case 'declined':
      return recordRefundEnd(draft, effects, {
        ...wanted,
        status: 'failed',
        failure: outcome.failure,
        credit_id: null,
      });
    case 'succeeded': {
      const done = recordRefundEnd(draft, effects, {
        ...wanted,
        status: 'succeeded',
        provider_ref: outcome.providerRef,
        succeeded_at: occurredAt,
      });
      grantRefundCredit(draft, effects, done);
      return done;
    }
  }
};

const recordRefundEnd = (
  draft: RefundDraft,
  { actor }: Pick<PaymentEffects, 'actor'>,
  ended: Refund,
): Refund => {
  const payment = requirePayment(draft.state, ended.payment_id);
  const succeeded = ended.status === 'succeeded';
  const total = payment.amount_refunded + (succeeded ? ended.amount : 0);
  draft.add({
    type: succeeded ? 'payment.refunded' : 'payment.refund_failed',
    subscriptionId: ended.subscription_id,
    data: {
      refund: ended,
      amount_refunded_total: total,
      actor,
      payment: { ...payment, amount_refunded: total },
    },
  });
  return ended;
};

/** Grants a credit for the part of the refund that does not go back through the provider. */
const grantRefundCredit = (
  draft: RefundDraft,
  { actor, motionRunId }: Pick<PaymentEffects, 'actor' | 'motionRunId'>,
  { credit_id: id, subscriber_id, amount, returned, currency, payment_id }: Refund,
): void => {
  if (id === null) return;
  grantCredit(draft, {
    id,
    subscriberId: subscriber_id,
    amount: amount - returned,
    currency,
    category: 'refund',
    expiresAt: null,
    source: { type: 'payment', id: payment_id },
    note: null,
    motionRunId,
    reason: 'refund',
    actor,
  });
};

export interface RefundReport {
  readonly refundId: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly failure: Failure | null;
  readonly providerRef: string | null;
  readonly occurredAt: Instant | null;
}

const UNEXPLAINED: Failure = {
  code: 'refund_failed',
  message: 'The provider could not give the money back.',
  decline_type: 'hard',
};

/** Records an outcome from the tenant's own provider. The same outcome again changes nothing. */
export const reportRefund = (
  draft: RefundDraft,
  effects: Pick<PaymentEffects, 'actor' | 'motionRunId'>,
  { refundId, outcome, failure, providerRef, occurredAt }: RefundReport,
): void => {
  const pending = requireRefund(draft.state, refundId);
  requirePossibleTime(occurredAt, { createdAt: pending.created_at, now: draft.now });
  if (pending.status === outcome) return;
  if (pending.status !== 'pending') {
    throw wrongStateError('refund', { status: pending.status, allowed: ['pending'] });
  }
  recordRefundOutcome(draft, effects, {
    refund: pending,
    outcome:
      outcome === 'succeeded'
        ? { kind: 'succeeded', providerRef }
        : { kind: 'declined', failure: failure ?? UNEXPLAINED },
    ...(occurredAt === null ? {} : { occurredAt }),
  });
};
