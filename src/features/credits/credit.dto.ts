import { type Static, Type } from '@sinclair/typebox';
import { Choice, CurrencyField, Int, Moment as MomentField, Text } from '../../http/fields/fields';
import { ListQuery, PageParameters } from '../../http/lists/list-query';
import { AMOUNT_MAX } from '../../kernel/money';
import { Amount, CurrencyCode, Moment, nullable, oneOf } from '../../domain/schema/fields';
import {
  CREDIT_CATEGORIES,
  CREDIT_STATUSES,
  type CreditCategory,
} from '../../domain/billing/credit.events';

const NOTE_CHARS_MAX = 2_000;

export class GrantCreditBody {
  @Int({ min: 1, max: AMOUNT_MAX, description: 'In minor units.', example: 500 })
  readonly amount!: number;

  @CurrencyField({ optional: true, description: 'Default: the currency of the tenant.' })
  readonly currency?: string;

  @Choice(CREDIT_CATEGORIES, { optional: true, default: 'goodwill' })
  readonly category?: CreditCategory;

  @MomentField({
    optional: true,
    nullable: true,
    description: 'When the credit expires: a time in the future; null is never.',
  })
  readonly expires_at?: string | null;

  @Text({ optional: true, nullable: true, max: NOTE_CHARS_MAX, description: 'Personal.' })
  readonly note?: string | null;
}

export class ListCreditsQuery extends ListQuery {
  @Choice(CREDIT_STATUSES, { optional: true })
  readonly status?: (typeof CREDIT_STATUSES)[number];
}

export class ListTransactionsQuery extends PageParameters {}

export const TRANSACTION_TYPES = ['granted', 'applied', 'reinstated', 'expired', 'voided'] as const;

/** A line of a credit's ledger. It is never changed. */
export const CreditTransaction = Type.Object(
  {
    id: Type.String(),
    credit_id: Type.String(),
    type: oneOf(TRANSACTION_TYPES),
    /** The amount is positive for `granted` and `reinstated`, else negative. */
    amount: Amount,
    currency: CurrencyCode,
    ending_balance: Amount,
    payment_id: nullable(Type.String()),
    created_at: Moment,
  },
  { title: 'CreditTransaction' },
);
export type CreditTransaction = Static<typeof CreditTransaction>;
