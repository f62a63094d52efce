import { type EventSchema, removeUnpublished } from '../../event-store/catalogue';
import { Choice, Id, Int, Text } from '../../http/fields/fields';
import { ListQuery } from '../../http/lists/list-query';
import { AMOUNT_MAX } from '../../kernel/money';
import {
  Refund,
  REFUND_DESTINATIONS,
  REFUND_REASONS,
  REFUND_STATUSES,
  type RefundReason,
  type RefundStatus,
} from '../../domain/billing/refund.events';

const NOTE_CHARS_MAX = 2_000;

export class CreateRefundBody {
  @Int({
    min: 1,
    max: AMOUNT_MAX,
    optional: true,
    example: 500,
    description: 'The amount in minor units. Default: what is left of the payment.',
  })
  readonly amount?: number;

  @Choice(REFUND_REASONS, { example: 'requested_by_customer' })
  readonly reason!: RefundReason;

  @Text({ optional: true, nullable: true, max: NOTE_CHARS_MAX, description: 'Personal.' })
  readonly note?: string | null;

  @Id({
    optional: true,
    nullable: true,
    description: 'The id of a ticket of the subscriber that led to the refund.',
  })
  readonly ticket_id?: string | null;

  @Choice(REFUND_DESTINATIONS, {
    optional: true,
    default: 'original',
    description: 'Where the money goes. With `credit` the subscriber gets it as a credit.',
  })
  readonly destination?: (typeof REFUND_DESTINATIONS)[number];
}

export class ListRefundsQuery extends ListQuery {
  @Choice(REFUND_STATUSES, { optional: true })
  readonly status?: RefundStatus;

  @Id({ optional: true })
  readonly subscriber_id?: string;

  @Id({ optional: true })
  readonly payment_id?: string;
}

/** Returns the refund without the fields that only the fold needs. */
export const viewRefund = (refund: Refund): Refund =>
  removeUnpublished(Refund as EventSchema, refund) as unknown as Refund;
