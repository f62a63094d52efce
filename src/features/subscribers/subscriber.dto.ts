import { type Static, Type } from '@sinclair/typebox';
import { hashEmail } from '../../event-store/email-hash';
import {
  Choice,
  Email,
  Id,
  ID_CHARS_MAX,
  Moment as MomentField,
  Num,
  Text,
} from '../../http/fields/fields';
import { Metadata } from '../../http/fields/metadata-field';
import { QueryList, TextList } from '../../http/fields/list-fields';
import { createAnyOf, SchemaRules } from '../../http/fields/schema-rules';
import { ListQuery } from '../../http/lists/list-query';
import { CurrencyCode, Moment, nullable, oneOf, PersonalText } from '../../domain/schema/fields';
import { viewPaid } from '../../domain/billing/payment.decider';
import type { Subscriber } from '../../domain/subscriber-stream/subscriber.aggregate';
import { findPrimary } from '../../domain/billing/primary';
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '../../domain/billing/subscription.events';
import {
  PAYMENT_STATES,
  type PaymentState,
  type SubscriptionView,
  viewSubscription,
} from '../../domain/billing/subscription-view';

const TAGS_MAX = 50;
const TAG_CHARS_MAX = 64;

export class CreateSubscriberBody {
  @Email({ example: 'ada@example.com' })
  readonly email!: string;

  @Text({
    optional: true,
    nullable: true,
    description:
      'Your own id, unique in the environment. It is no personal field: whoever may read subscribers sees it and finds by it, so do not put an e-mail address or a name into it.',
  })
  readonly external_id?: string | null;

  @TextList({
    itemsMax: TAGS_MAX,
    itemCharsMax: TAG_CHARS_MAX,
    optional: true,
    example: ['annual', 'newsletter'],
  })
  readonly tags?: string[];

  @Metadata({ optional: true, example: { city: 'Paris' } })
  readonly metadata?: Record<string, string>;

  @Id({
    optional: true,
    nullable: true,
    description: 'For test environments: the test clock that gives the time of the subscriber.',
  })
  readonly test_clock?: string | null;
}

@SchemaRules({ not: { required: ['tags'], ...createAnyOf(['tags_add', 'tags_remove']) } })
export class UpdateSubscriberBody {
  @Email({ optional: true, example: 'ada@example.com' })
  readonly email?: string;

  @TextList({
    itemsMax: TAGS_MAX,
    itemCharsMax: TAG_CHARS_MAX,
    optional: true,
    description: 'Replaces all tags.',
    example: ['annual', 'newsletter'],
  })
  readonly tags?: string[];

  @TextList({
    itemsMax: TAGS_MAX,
    itemCharsMax: TAG_CHARS_MAX,
    optional: true,
    description: 'Tags to add. Not together with `tags`.',
  })
  readonly tags_add?: string[];

  @TextList({
    itemsMax: TAGS_MAX,
    itemCharsMax: TAG_CHARS_MAX,
    optional: true,
    description: 'Tags to remove. Not together with `tags`.',
  })
  readonly tags_remove?: string[];

  @Metadata({
    optional: true,
    nullDeletes: true,
    description: 'Merged into the existing metadata. A value of null deletes the key.',
    example: { city: 'Paris', coupon: null },
  })
  readonly metadata?: Record<string, string | null>;
}

export class EngagementScoreBody {
  @Num({ min: 0, max: 100, description: 'The score, from 0 to 100.', example: 62 })
  readonly score!: number;

  @MomentField({
    optional: true,
    description:
      'When the score was observed; not in the future. Default: now. A score older than the stored one is ignored.',
  })
  readonly observed_at?: string;
}

export class GetSubscriberQuery {
  @MomentField({ optional: true, description: 'The subscriber as it was at this moment.' })
  readonly at?: string;
}

/** Maximum number of ids in one request: the number of rows of the largest page. */
const IDS_MAX = 100;

export class ListSubscribersQuery extends ListQuery {
  @Choice(SUBSCRIPTION_STATUSES, {
    optional: true,
    description: 'Only subscribers whose primary subscription has this status.',
  })
  readonly status?: SubscriptionStatus;

  @QueryList({
    itemsMin: 1,
    itemsMax: IDS_MAX,
    itemCharsMax: ID_CHARS_MAX,
    optional: true,
    description: `Only these subscribers: up to ${IDS_MAX} ids, comma-separated.`,
  })
  readonly ids?: string[];

  @Id({ optional: true, description: 'Only members of this cohort.' })
  readonly cohort_id?: string;

  @Text({ optional: true, description: 'Your own id of the subscriber.' })
  readonly external_id?: string;

  @Id({ optional: true, description: 'Only subscribers whose primary subscription has this plan.' })
  readonly plan?: string;

  @Choice(PAYMENT_STATES, {
    optional: true,
    description:
      'Only subscribers who have a subscription in this payment state. The metric `past_due` counts those who are `past_due`.',
  })
  readonly payment_state?: PaymentState;

  @Text({ optional: true, max: 64, description: 'Only subscribers with this tag.' })
  readonly tag?: string;

  @Email({
    optional: true,
    example: 'ada@example.com',
    description:
      'Only subscribers with this e-mail address; upper and lower case are the same. Needs `pii:read`.',
  })
  readonly email?: string;
}

/**
 * A subscriber. A key without the scope `pii:read` sees no e-mail address, and null for the values
 * of the metadata.
 */
export const SubscriberResource = Type.Object(
  {
    id: Type.String(),
    external_id: nullable(Type.String()),
    email: Type.Union([Type.String(), Type.Null()], { pii: 'email' }),
    email_hashed: Type.String(),
    created_at: Moment,
    activated_at: nullable(Moment),
    erased_at: nullable(Moment),
    subscription: nullable(
      Type.Object({
        id: Type.String(),
        status: Type.String(),
        plan: Type.String(),
        current_period_start: Moment,
        current_period_end: Moment,
        payment_state: oneOf(PAYMENT_STATES),
      }),
    ),
    cohort_ids: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    metadata: Type.Record(Type.String(), PersonalText),
    engagement_score: nullable(Type.Number()),
    total_paid: Type.Integer(),
    paid_currency: nullable(CurrencyCode),
    totals_by_currency: Type.Record(Type.String(), Type.Integer()),
    last_payment_at: nullable(Moment),
  },
  { title: 'Subscriber' },
);
export type SubscriberResource = Static<typeof SubscriberResource>;

export const Erasure = Type.Object({ id: Type.String(), erased_at: Moment }, { title: 'Erasure' });
export type Erasure = Static<typeof Erasure>;

type ShownFields =
  'id' | 'status' | 'plan' | 'current_period_start' | 'current_period_end' | 'payment_state';

/**
 * The fields of the public record that are stored. They come from the folded state or from a row.
 */
export interface SubscriberRecord extends Omit<
  SubscriberResource,
  'subscription' | 'email_hashed'
> {
  readonly subscription: Pick<SubscriptionView, ShownFields> | null;
}

/** Returns the record for a folded state. */
export const toRecord = (
  id: string,
  { profile, subscriptions, payments }: Subscriber,
  cohortIds: readonly string[],
): SubscriberRecord => {
  if (profile.status === 'absent') throw new Error('there is no record of an absent subscriber');
  const primary = findPrimary(subscriptions);
  return {
    id,
    external_id: profile.externalId,
    email: profile.email,
    created_at: profile.registeredAt,
    activated_at: profile.activatedAt,
    erased_at: profile.status === 'erased' ? profile.erasedAt : null,
    subscription: primary === null ? null : viewSubscription(primary),
    cohort_ids: [...cohortIds],
    tags: [...profile.tags],
    metadata: { ...profile.metadata },
    engagement_score: profile.engagement?.score ?? null,
    ...viewPaid(payments),
  };
};

/**
 * Returns the public record. The `pii` tags in its schema mark the fields that callers without
 * `pii:read` do not see.
 */
export const viewSubscriber = (record: SubscriberRecord): SubscriberResource => {
  const { email, metadata, subscription } = record;
  return {
    id: record.id,
    external_id: record.external_id,
    email,
    email_hashed: hashEmail(email),
    created_at: record.created_at,
    activated_at: record.activated_at,
    erased_at: record.erased_at,
    subscription:
      subscription === null
        ? null
        : {
            id: subscription.id,
            status: subscription.status,
            plan: subscription.plan,
            current_period_start: subscription.current_period_start,
            current_period_end: subscription.current_period_end,
            payment_state: subscription.payment_state,
          },
    cohort_ids: record.cohort_ids,
    tags: record.tags,
    metadata,
    engagement_score: record.engagement_score,
    total_paid: record.total_paid,
    paid_currency: record.paid_currency,
    totals_by_currency: record.totals_by_currency,
    last_payment_at: record.last_payment_at,
  };
};
