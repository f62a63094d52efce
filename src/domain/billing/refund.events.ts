import { type Static, Type } from '@sinclair/typebox';
import type { EventTexts, FactOf } from '../../kernel/decider';
import {
  ActorField,
  Amount,
  CurrencyCode,
  Moment,
  nullable,
  oneOf,
  PersonalText,
  markUnpublished,
} from '../schema/fields';
import { Failure, Payment } from './payment.events';

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export const REFUND_REASONS = [
  'duplicate',
  'fraudulent',
  'requested_by_customer',
  'other',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

export const REFUND_DESTINATIONS = ['original', 'credit'] as const;

/** Money returned for a payment (D-23). A refund never changes the subscription by itself. */
export const Refund = Type.Object(
  {
    id: Type.String(),
    payment_id: Type.String(),
    subscriber_id: Type.String(),
    subscription_id: Type.String(),
    amount: Amount,
    currency: CurrencyCode,
    status: oneOf(REFUND_STATUSES),
    reason: oneOf(REFUND_REASONS),
    note: PersonalText,
    ticket_id: nullable(Type.String()),
    destination: oneOf(REFUND_DESTINATIONS),
    /** The credit that the refund was paid out as, if the destination is `credit`. */
    credit_id: nullable(Type.String()),
    failure: nullable(Failure),
    provider_ref: nullable(Type.String()),
    created_at: Moment,
    succeeded_at: nullable(Moment),
    /** The part that goes back through the provider. Credits had paid the rest. */
    returned: markUnpublished(Amount),
  },
  { title: 'Refund' },
);
export type Refund = Static<typeof Refund>;

const settled = {
  refund: Refund,
  amount_refunded_total: Amount,
  actor: ActorField,
  /** The whole current payment. */
  payment: markUnpublished(Payment),
};

/** The type strings and field names are a storage format: add, never rename. */
export const refundEvents = {
  /** The tenant's own provider must return the money (`external` collection). */
  'payment.refund_requested': Type.Object({ refund: Refund, actor: ActorField }),
  'payment.refunded': Type.Object(settled),
  'payment.refund_failed': Type.Object(settled),
};

/** Texts of the API reference that say when each event happens. */
export const refundEventTexts: EventTexts<typeof refundEvents> = {
  'payment.refund_requested':
    'A refund must be paid out by your own payment provider. Report the outcome with `POST /v1/refunds/{refundId}/outcome`.',
  'payment.refunded': 'A refund was paid out, wholly or in part.',
  'payment.refund_failed': 'A refund could not be paid out.',
};

export type RefundFact = FactOf<typeof refundEvents>;
