import { type Static, Type } from '@sinclair/typebox';
import { Choice, Id, Int, Line, Nested, Text } from '../../http/fields/fields';
import { TextList } from '../../http/fields/list-fields';
import { ListQuery, PageParameters } from '../../http/lists/list-query';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import {
  GRANULARITIES,
  type Granularity,
  type Window,
  WINDOWS,
} from '../../domain/metrics/buckets';
import type { KnownMotion } from '../../domain/motions/motion.decider';
import {
  MOTION_KINDS,
  MOTION_STATUSES,
  type MotionKind,
  MotionLimits,
  type MotionStatus,
  type MotionTerms,
  Offer,
  RUN_STATUSES,
  type RunStatus,
  TRIGGER_MODES,
  type TriggerMode,
} from '../../domain/motions/motion.events';
import { OfferBody, toOffer } from './offer.dto';

const COHORTS_MAX = 50;

export class MotionLimitsBody {
  @Int({
    min: 1,
    max: 10_000,
    optional: true,
    nullable: true,
    description: 'How often it may be triggered for a subscriber; null is no limit.',
  })
  readonly max_triggers_per_subscriber?: number | null;

  @Int({ min: 0, max: 3_650, optional: true, default: 30 })
  readonly cooldown_days?: number;

  @Int({ min: 1, max: 10_000, optional: true, default: 1 })
  readonly max_redemptions?: number;
}

const OFFER_EXAMPLE = { type: 'pause', days: 30 };

export class ChangeMotionBody {
  @Line({ max: 200, optional: true, example: 'Save' })
  readonly name?: string;

  @Text({ min: 0, max: 1_000, optional: true, nullable: true })
  readonly description?: string | null;

  @Choice(MOTION_KINDS, { optional: true })
  readonly kind?: MotionKind;

  @TextList({
    itemsMax: COHORTS_MAX,
    itemCharsMax: 64,
    optional: true,
    description: 'Only subscribers in at least one of these cohorts. Default: every subscriber.',
  })
  readonly cohort_ids?: string[];

  @Nested(() => OfferBody, { optional: true, nullable: true, example: OFFER_EXAMPLE })
  readonly offer?: OfferBody | null;

  @Choice(TRIGGER_MODES, { optional: true, default: 'manual' })
  readonly trigger_mode?: TriggerMode;

  @Nested(() => MotionLimitsBody, { optional: true })
  readonly limits?: MotionLimitsBody;

  @Int({ min: 1, max: 8_760, optional: true, default: 72 })
  readonly offer_valid_hours?: number;

  @Int({ min: 1, max: 365, optional: true, default: 30 })
  readonly attribution_days?: number;

  @Int({
    min: 0,
    max: 99,
    optional: true,
    default: 0,
    description: 'The share of subscribers who get no offer, for comparison.',
  })
  readonly holdout_percent?: number;
}

export class CreateMotionBody extends ChangeMotionBody {
  @Line({ max: 200, example: 'Save' })
  declare readonly name: string;

  @Choice(MOTION_KINDS, { example: 'cancel_save' })
  declare readonly kind: MotionKind;
}

const TERM_DEFAULTS = {
  description: null,
  cohort_ids: [],
  offer: null,
  trigger_mode: 'manual',
  limits: { max_triggers_per_subscriber: null, cooldown_days: 30, max_redemptions: 1 },
  offer_valid_hours: 72,
  attribution_days: 30,
  holdout_percent: 0,
} as const;

/** Returns the fields that were given. Limits are merged one by one. */
export const toChange = (
  { offer, limits, cohort_ids, ...rest }: ChangeMotionBody,
  before: MotionLimits,
): Partial<MotionTerms> => ({
  ...selectGiven(rest),
  ...(offer === undefined ? {} : { offer: offer === null ? null : toOffer(offer) }),
  ...(limits === undefined ? {} : { limits: { ...before, ...selectGiven(limits) } }),
  ...(cohort_ids === undefined ? {} : { cohort_ids: [...new Set(cohort_ids)] }),
});

export const toTerms = (body: CreateMotionBody): MotionTerms => ({
  ...TERM_DEFAULTS,
  cohort_ids: [],
  name: body.name,
  kind: body.kind,
  ...toChange(body, TERM_DEFAULTS.limits),
});

const selectGiven = <T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as never;

export class ListMotionsQuery extends PageParameters {
  @Choice(MOTION_STATUSES, { optional: true })
  readonly status?: MotionStatus;
}

export class ListRunsQuery extends ListQuery {
  @Choice(RUN_STATUSES, { optional: true })
  readonly status?: RunStatus;

  @Id({ optional: true })
  readonly subscriber_id?: string;
}

export class TriggerMotionBody {
  @Id()
  readonly subscriber_id!: string;

  @Nested(() => OfferBody, {
    optional: true,
    example: OFFER_EXAMPLE,
    description: 'Replaces the whole offer of the motion for this run.',
  })
  readonly offer_override?: OfferBody;
}

export const OUTCOMES = ['presented', 'accepted', 'declined'] as const;

export class RunOutcomeBody {
  @Choice(OUTCOMES, { example: 'accepted' })
  readonly outcome!: (typeof OUTCOMES)[number];

  @Text({ min: 0, max: 1_000, optional: true, nullable: true })
  readonly reason?: string | null;
}

export class PerformanceQuery {
  @Choice(WINDOWS, { optional: true, default: 'last_30d' })
  readonly window?: Window;

  @Choice(GRANULARITIES, { optional: true, default: 'day' })
  readonly granularity?: Granularity;
}

/** The number of runs that ever reached each state. */
export const RunCounts = Type.Object({
  triggered: Type.Integer(),
  presented: Type.Integer(),
  accepted: Type.Integer(),
  applied: Type.Integer(),
  declined: Type.Integer(),
  expired: Type.Integer(),
  failed: Type.Integer(),
  suppressed: Type.Integer(),
});
export type RunCounts = Static<typeof RunCounts>;

export const NO_RUNS: RunCounts = {
  triggered: 0,
  presented: 0,
  accepted: 0,
  applied: 0,
  declined: 0,
  expired: 0,
  failed: 0,
  suppressed: 0,
};

export const MotionResource = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    kind: oneOf(MOTION_KINDS),
    status: oneOf(MOTION_STATUSES),
    cohort_ids: Type.Array(Type.String()),
    offer: nullable(Offer),
    trigger_mode: oneOf(TRIGGER_MODES),
    limits: MotionLimits,
    offer_valid_hours: Type.Integer(),
    attribution_days: Type.Integer(),
    holdout_percent: Type.Integer(),
    stats: RunCounts,
    created_at: Moment,
    updated_at: Moment,
  },
  { title: 'Motion' },
);
export type MotionResource = Static<typeof MotionResource>;

export const viewMotion = (motion: KnownMotion, stats: RunCounts): MotionResource => {
  const { terms } = motion;
  return {
    id: motion.id,
    name: terms.name,
    description: terms.description,
    kind: terms.kind,
    status: motion.status,
    cohort_ids: terms.cohort_ids,
    offer: terms.offer,
    trigger_mode: terms.trigger_mode,
    limits: terms.limits,
    offer_valid_hours: terms.offer_valid_hours,
    attribution_days: terms.attribution_days,
    holdout_percent: terms.holdout_percent,
    stats,
    created_at: motion.createdAt,
    updated_at: motion.updatedAt,
  };
};

const rates = {
  acceptance_rate: Type.Number({ description: 'Accepted ÷ presented; 0 if none was presented.' }),
  save_rate: Type.Number({
    description:
      'The share of the subscribers who accepted that still have a running subscription 30 days later. Until the 30 days are over, the current status counts, and `maturing` is true.',
  }),
  maturing: Type.Boolean({
    description:
      'True while an acceptance is less than 30 days old, so `save_rate` may still change.',
  }),
  retained_revenue: Type.Integer({
    description: 'Payments that succeeded within attribution_days of an acceptance.',
  }),
  offer_cost: Type.Integer({
    description:
      'Discounts and credits used in that time, also those that reduced a payment to zero.',
  }),
};

export const MotionPerformance = Type.Object(
  {
    motion_id: Type.String(),
    window: oneOf(WINDOWS),
    granularity: oneOf(GRANULARITIES),
    currency: Type.String(),
    counts: RunCounts,
    ...rates,
    lift: nullable(
      Type.Number({
        description:
          'Retention of the subscribers who were triggered minus retention of the holdout, both 30 days later as for `save_rate`; null while one of the two groups is empty.',
      }),
    ),
    computed_at: Moment,
    points: Type.Array(
      Type.Object({
        timestamp: Moment,
        partial: Type.Boolean(),
        counts: RunCounts,
        ...rates,
      }),
    ),
  },
  { title: 'MotionPerformance' },
);
export type MotionPerformance = Static<typeof MotionPerformance>;
