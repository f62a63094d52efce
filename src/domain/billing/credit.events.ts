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

export const CREDIT_CATEGORIES = [
  'promotional',
  'goodwill',
  'proration',
  'refund',
  'paid',
] as const;
export type CreditCategory = (typeof CREDIT_CATEGORIES)[number];

export const CREDIT_STATUSES = ['active', 'depleted', 'expired', 'voided'] as const;

/**
 * Money that a subscriber has with the tenant (D-24). The remaining amount pays before any charge.
 */
export const Credit = Type.Object(
  {
    id: Type.String(),
    subscriber_id: Type.String(),
    amount: Amount,
    remaining: Amount,
    currency: CurrencyCode,
    category: oneOf(CREDIT_CATEGORIES),
    status: oneOf(CREDIT_STATUSES),
    expires_at: nullable(Moment),
    /**
     * The reason for the grant, such as `{type: 'payment', id: 'pay_…'}` or `{type: 'api', id:
     * null}`.
     */
    source: Type.Object({ type: Type.String(), id: nullable(Type.String()) }),
    note: PersonalText,
    created_at: Moment,
  },
  { title: 'Credit' },
);
export type Credit = Static<typeof Credit>;

const movement = {
  credit_id: Type.String(),
  /** The amount granted, applied or lost. */
  amount: Amount,
  remaining: Amount,
  currency: CurrencyCode,
  category: oneOf(CREDIT_CATEGORIES),
  /** The payment that the credit paid or came from. */
  payment_id: nullable(Type.String()),
  reason: Type.String(),
  actor: ActorField,
  /** The whole current credit. */
  credit: markUnpublished(Credit),
};

/** The type strings and field names are a storage format: add, never rename. */
export const creditEvents = {
  'credit.granted': Type.Object({ ...movement, motion_run_id: nullable(Type.String()) }),
  'credit.applied': Type.Object(movement),
  'credit.expired': Type.Object(movement),
  'credit.voided': Type.Object(movement),
};

/** Texts of the API reference that say when each event happens. */
export const creditEventTexts: EventTexts<typeof creditEvents> = {
  'credit.granted': 'A subscriber was given a credit.',
  'credit.applied': 'A credit paid a charge, or a part of it.',
  'credit.expired': 'What was left of a credit expired.',
  'credit.voided': 'What was left of a credit was taken back.',
};

export type CreditFact = FactOf<typeof creditEvents>;

/** Credit given back because the payment it was applied to ended unpaid. */
export const Reinstatement = Type.Object({
  payment_id: Type.String(),
  amount: Amount,
  credit: Credit,
});
export type Reinstatement = Static<typeof Reinstatement>;
