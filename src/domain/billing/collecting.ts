import type { Draft } from '../../kernel/draft';
import { DomainError } from '../../kernel/errors';
import type { Currency, MinorUnits } from '../../kernel/money';
import type { OwnedPrefix } from '../../kernel/ids';
import type { Actor } from '../../kernel/scope';
import { type Instant, plusDays } from '../../kernel/time';
import { applyCredits, type Credits, grantCredit, allocateCredits } from './credit.decider';
import type { CreditFact } from './credit.events';
import type { PlanTerms } from '../plans/plan.events';
import { getCollected, hasPaid, type Payments } from './payment.decider';
import type {
  Failure,
  Line,
  Payment,
  PaymentFact,
  PaymentMethod,
  PaymentReason,
} from './payment.events';

/** The response of a collection port to a charge (D-07). `pending` is not a failure. */
export type ChargeOutcome =
  | { readonly kind: 'succeeded'; readonly providerRef: string | null }
  | { readonly kind: 'declined'; readonly failure: Failure }
  | { readonly kind: 'pending' };

export interface Charge {
  /** An attempt always has the same outcome, so a repeated command charges once. */
  readonly attemptId: string;
  /** The number of the attempt, 1 for the first. */
  readonly attempt: number;
  readonly amount: MinorUnits;
  readonly currency: Currency;
  readonly method: PaymentMethod | null;
}

/** Inputs of a decision about money beside the state: actor, tenant settings and effects. */
export interface PaymentEffects {
  readonly actor: Actor;
  /** Set if a motion run makes the decision. */
  readonly motionRunId: string | null;
  /** Number of days for which an amount may stay unpaid before the subscription lapses (D-03). */
  readonly graceDays: number;
  readonly provider: Payment['provider'];
  readonly charge: (charge: Charge) => Promise<ChargeOutcome>;
  /** Returns the same id for the same label, also when the command is decided again. */
  readonly newId: (prefix: OwnedPrefix, subscriberId: string, label: string) => string;
}

export interface CollectingState {
  readonly payments: Payments;
  readonly credits: Credits;
}

export type CollectingDraft = Draft<CollectingState, PaymentFact | CreditFact>;

/** Days after the first failure at which a soft decline is tried again (D-03). */
const RETRY_DAYS = [1, 3, 5, 7, 10, 13];

export interface AmountDue {
  readonly subscription: {
    readonly id: string;
    readonly subscriberId: string;
    readonly method: PaymentMethod | null;
  };
  readonly reason: PaymentReason;
  readonly terms: PlanTerms;
  readonly period: { readonly start: Instant; readonly end: Instant };
  readonly lines: readonly Line[];
  readonly ifDeclined: IfDeclined;
}

/**
 * The effect of a decline. `refuse` throws and changes nothing. `record` states the attempt, and
 * the payment has failed. `retry` keeps the payment open for the grace period.
 */
export type IfDeclined = 'refuse' | 'record' | 'retry';

export interface CollectionResult {
  readonly outcome: ChargeOutcome['kind'] | 'nothing_due';
  /** Null if nothing was due. */
  readonly payment: Payment | null;
  /** The lines of a total of zero or less. A payment carries its own lines. */
  readonly freeLines?: Line[];
}

/** Returns the lines for an event that stands in for a payment when nothing was due. */
export const getFreeLines = ({ freeLines }: CollectionResult): { lines?: Line[] } =>
  freeLines === undefined ? {} : { lines: freeLines };

/**
 * Collects the sum of the lines, first from credits, then by a charge (D-24). A negative sum
 * becomes customer credit and never an automatic refund (D-11).
 */
export const collectAmount = async (
  draft: CollectingDraft,
  effects: PaymentEffects,
  due: AmountDue,
): Promise<CollectionResult> => {
  const total = due.lines.reduce((sum, { amount }) => sum + amount, 0);
  if (total < 0) grantSurplus(draft, effects, { due, amount: -total });
  if (total <= 0) return { outcome: 'nothing_due', payment: null, freeLines: [...due.lines] };
  return attemptPayment(draft, effects, {
    payment: createPayment(draft, effects, due),
    ifDeclined: due.ifDeclined,
  });
};

const grantSurplus = (
  draft: CollectingDraft,
  effects: PaymentEffects,
  { due, amount }: { due: AmountDue; amount: MinorUnits },
): void => {
  const { id, subscriberId } = due.subscription;
  grantCredit(draft, {
    id: effects.newId('crd', subscriberId, `${id} ${due.reason} ${due.period.start}`),
    subscriberId,
    amount,
    currency: due.terms.currency,
    category: 'proration',
    expiresAt: null,
    source: { type: 'subscription', id },
    note: null,
    motionRunId: effects.motionRunId,
    reason: due.reason,
    actor: effects.actor,
  });
};

const createPayment = (
  draft: CollectingDraft,
  effects: PaymentEffects,
  due: AmountDue,
): Payment => ({
  id: effects.newId(
    'pay',
    due.subscription.subscriberId,
    `${due.subscription.id} ${due.reason} ${due.period.start}`,
  ),
  subscriber_id: due.subscription.subscriberId,
  subscription_id: due.subscription.id,
  status: 'pending',
  amount: due.lines.reduce((sum, { amount }) => sum + amount, 0),
  amount_refunded: 0,
  credit_applied: 0,
  currency: due.terms.currency,
  reason: due.reason,
  period_start: due.period.start,
  period_end: due.period.end,
  attempt_count: 0,
  next_attempt_at: null,
  grace_ends_at: null,
  failure: null,
  payment_method: due.subscription.method,
  provider: effects.provider,
  provider_ref: null,
  recovery: null,
  lines: [...due.lines],
  created_at: draft.now,
  succeeded_at: null,
  terms: due.terms,
  first_failed_at: null,
  credits: [],
  reported: [],
});

interface Attempt {
  readonly payment: Payment;
  readonly ifDeclined: IfDeclined;
}

/** Attempts once to collect the open rest of a payment. */
export const attemptPayment = async (
  draft: CollectingDraft,
  effects: PaymentEffects,
  { payment, ifDeclined }: Attempt,
): Promise<CollectionResult> => {
  const { currency } = payment;
  const shares = allocateCredits(draft.state.credits, {
    amount: getCollected(payment),
    currency,
    now: draft.now,
  });
  const held: Payment = {
    ...payment,
    credit_applied: payment.credit_applied + shares.reduce((sum, { amount }) => sum + amount, 0),
    credits: [
      ...payment.credits,
      ...shares.map(({ credit, amount }) => ({ credit_id: credit.id, amount })),
    ],
  };
  const outcome = await chargeRest(effects, held);
  if (outcome.kind === 'declined' && ifDeclined === 'refuse')
    throw paymentFailedError(outcome.failure, payment);
  const lost = outcome.kind === 'declined' && ifDeclined === 'record';
  if (!lost) {
    applyCredits(draft, {
      shares,
      paymentId: payment.id,
      subscriptionId: payment.subscription_id,
      actor: effects.actor,
    });
  }
  return recordOutcome(draft, effects, { payment: lost ? payment : held, outcome, ifDeclined });
};

const chargeRest = (effects: PaymentEffects, payment: Payment): Promise<ChargeOutcome> => {
  const amount = getCollected(payment);
  if (amount === 0) return Promise.resolve({ kind: 'succeeded', providerRef: null });
  const number = payment.attempt_count + 1;
  return effects.charge({
    attemptId: `${payment.id}_${number}`,
    attempt: number,
    amount,
    currency: payment.currency,
    method: payment.payment_method,
  });
};

interface AttemptOutcome extends Attempt {
  readonly outcome: ChargeOutcome;
  /** The time of the outcome according to the provider. Defaults to now. */
  readonly occurredAt?: Instant;
}

/** Adds the event for the outcome of an attempt, made by this service or reported by a provider. */
export const recordOutcome = (
  draft: CollectingDraft,
  effects: PaymentEffects,
  settlement: AttemptOutcome,
): CollectionResult => {
  const { outcome } = settlement;
  switch (outcome.kind) {
    case 'succeeded':
      return recordSuccess(draft, effects, settlement, outcome.providerRef);
    case 'pending':
      return recordPending(draft, effects, settlement.payment);
    case 'declined':
      return recordFailure(draft, effects, settlement, outcome.failure);
  }
};

const recordSuccess = (
  draft: CollectingDraft,
  effects: PaymentEffects,
  { payment, occurredAt = draft.now }: AttemptOutcome,
  providerRef: string | null,
): CollectionResult => {
  const paid: Payment = {
    ...payment,
    status: 'succeeded',
    attempt_count: payment.attempt_count + 1,
    next_attempt_at: null,
    grace_ends_at: null,
    failure: null,
    provider_ref: providerRef,
    succeeded_at: occurredAt,
  };
  draft.add({
    type: 'payment.succeeded',
    subscriptionId: payment.subscription_id,
    data: { payment: paid, first_payment: !hasPaid(draft.state.payments), actor: effects.actor },
  });
  return { outcome: 'succeeded', payment: paid };
};

const recordPending = (
  draft: CollectingDraft,
  effects: PaymentEffects,
  payment: Payment,
): CollectionResult => {
  const graceEndsAt = computeGraceEnd(draft, effects, payment);
  const due: Payment = { ...payment, next_attempt_at: null, grace_ends_at: graceEndsAt };
  draft.add({
    type: 'payment.due',
    subscriptionId: payment.subscription_id,
    data: { payment: due, due_at: draft.now, grace_ends_at: graceEndsAt, actor: effects.actor },
  });
  return { outcome: 'pending', payment: due };
};

const computeGraceEnd = (
  { now }: CollectingDraft,
  { graceDays }: PaymentEffects,
  payment: Payment,
): Instant => payment.grace_ends_at ?? plusDays(now, graceDays);

const recordFailure = (
  draft: CollectingDraft,
  effects: PaymentEffects,
  { payment, ifDeclined, occurredAt = draft.now }: AttemptOutcome,
  failure: Failure,
): CollectionResult => {
  const graceEndsAt = computeGraceEnd(draft, effects, payment);
  const final = ifDeclined !== 'retry' || graceEndsAt <= draft.now;
  const firstFailedAt = payment.first_failed_at ?? occurredAt;
  const next =
    final || failure.decline_type === 'hard'
      ? null
      : findNextRetry({ firstFailedAt, graceEndsAt, now: draft.now });
  const failed: Payment = {
    ...payment,
    status: final ? 'failed' : 'pending',
    attempt_count: payment.attempt_count + 1,
    next_attempt_at: next,
    grace_ends_at: ifDeclined === 'retry' ? graceEndsAt : null,
    failure,
    first_failed_at: firstFailedAt,
    recovery: ifDeclined === 'retry' ? updateRecovery(payment, firstFailedAt) : payment.recovery,
  };
  draft.add({
    type: 'payment.failed',
    subscriptionId: payment.subscription_id,
    data: {
      payment: failed,
      attempt: failed.attempt_count,
      final,
      failure,
      next_attempt_at: next,
      actor: effects.actor,
    },
  });
  return { outcome: 'declined', payment: failed };
};

/** Returns the next retry in the future. Missed retries are not made up for. */
const findNextRetry = ({
  firstFailedAt,
  graceEndsAt,
  now,
}: {
  readonly firstFailedAt: Instant;
  readonly graceEndsAt: Instant;
  readonly now: Instant;
}): Instant | null =>
  RETRY_DAYS.map((days) => plusDays(firstFailedAt, days)).find(
    (at) => at > now && at < graceEndsAt,
  ) ?? null;

const RECURRING: readonly PaymentReason[] = ['renewal', 'resume'];

/** The first payment and the payment after a trial have no recovery case (D-25). */
const updateRecovery = (payment: Payment, firstFailedAt: Instant): Payment['recovery'] => {
  if (!RECURRING.includes(payment.reason)) return null;
  const attempts = payment.attempt_count + 1;
  return payment.recovery === null
    ? {
        first_failed_at: firstFailedAt,
        recovered_at: null,
        attempts,
        source: null,
        motion_id: null,
        outcome: 'open',
      }
    : { ...payment.recovery, attempts };
};

/** The code of a decline because the subscription has no payment method. */
export const PAYMENT_METHOD_MISSING = 'payment_method_missing';

/** Returns the error for a declined payment. Without a payment method it says how to set one. */
export const paymentFailedError = (
  { code, message, decline_type }: Failure,
  { reason, subscription_id: id }: Pick<Payment, 'reason' | 'subscription_id'>,
): DomainError => {
  const declined = message ?? 'The payment was declined.';
  const details = { decline_type, code };
  if (code !== PAYMENT_METHOD_MISSING)
    return new DomainError('payment_failed', declined, { details });
  return reason === 'subscription_start'
    ? new DomainError('payment_failed', `${declined} Give payment_method, or start with a trial.`, {
        param: 'payment_method',
        details,
      })
    : new DomainError(
        'payment_failed',
        `${declined} Set one with PUT /v1/subscriptions/${id}/payment_method.`,
        { details },
      );
};
