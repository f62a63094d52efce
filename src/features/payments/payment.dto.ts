import { type Static, Type } from '@sinclair/typebox';
import { type EventSchema, removeUnpublished } from '../../event-store/catalogue';
import { Choice, Id } from '../../http/fields/fields';
import { ListQuery, PageParameters } from '../../http/lists/list-query';
import { Amount, CurrencyCode, Moment, nullable, oneOf } from '../../domain/schema/fields';
import {
  DISPUTE_STATUSES,
  Failure,
  Payment,
  PAYMENT_STATUSES,
  PaymentMethod,
  type PaymentStatus,
} from '../../domain/billing/payment.events';

export class ListPaymentsQuery extends ListQuery {
  @Choice(PAYMENT_STATUSES, { optional: true })
  readonly status?: PaymentStatus;

  @Id({ optional: true })
  readonly subscriber_id?: string;

  @Id({ optional: true })
  readonly subscription_id?: string;
}

export class ListAttemptsQuery extends PageParameters {}

export class DisputeBody {
  @Choice(DISPUTE_STATUSES)
  readonly dispute_status!: (typeof DISPUTE_STATUSES)[number];
}

export const ATTEMPT_OUTCOMES = ['pending', 'succeeded', 'failed'] as const;

/** One attempt to collect a payment. */
export const Attempt = Type.Object(
  {
    id: Type.String(),
    payment_id: Type.String(),
    attempt: Type.Integer(),
    outcome: oneOf(ATTEMPT_OUTCOMES),
    amount: Amount,
    currency: CurrencyCode,
    failure: nullable(Failure),
    payment_method: nullable(PaymentMethod),
    provider_ref: nullable(Type.String()),
    created_at: Moment,
  },
  { title: 'PaymentAttempt' },
);
export type Attempt = Static<typeof Attempt>;

/** Returns the payment without the fields that only the fold needs. */
export const viewPayment = (payment: Payment): Payment =>
  removeUnpublished(Payment as EventSchema, payment) as unknown as Payment;

export const viewAttempt = (attempt: Attempt): Attempt =>
  removeUnpublished(Attempt as EventSchema, attempt) as unknown as Attempt;
