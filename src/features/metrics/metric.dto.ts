import { type Static, Type } from '@sinclair/typebox';
import {
  Choice,
  CurrencyField,
  Id,
  Moment as MomentField,
  QueryInt,
  Text,
} from '../../http/fields/fields';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { TICKET_TOPICS } from '../../domain/tickets/ticket.events';
import {
  GRANULARITIES,
  type Granularity,
  type Window,
  WINDOWS,
} from '../../domain/metrics/buckets';
import { UNITS } from './metric';
import { MOVEMENTS } from './daily-count';

const CSV_COLUMNS = ['short', 'all'] as const;
export type CsvColumns = (typeof CSV_COLUMNS)[number];

class SeriesQuery {
  @Choice(WINDOWS, { optional: true, default: 'last_30d' })
  readonly window?: Window;

  @MomentField({
    optional: true,
    description:
      'The beginning of a window of your own, instead of `window`. Whole days are counted: the day of this moment is included.',
  })
  readonly from?: string;

  @MomentField({ optional: true, description: 'The end of that window, exclusive. Default: now.' })
  readonly to?: string;

  @Choice(GRANULARITIES, { optional: true, default: 'day' })
  readonly granularity?: Granularity;

  @CurrencyField({
    optional: true,
    description: 'For amounts. Default: the currency of the tenant.',
  })
  readonly currency?: string;

  @Id({
    optional: true,
    description: 'Counts subscriptions only while they have this plan. Not for `delivery_…`.',
  })
  readonly plan?: string;

  @Id({
    optional: true,
    description: 'Counts only subscribers who are in this cohort now. Not for `delivery_…`.',
  })
  readonly cohort_id?: string;

  @Text({
    optional: true,
    max: 64,
    example: 'Europe/Berlin',
    description:
      'The time zone in which days, weeks and months begin. Default: UTC, and always UTC for `delivery_…`.',
  })
  readonly timezone?: string;

  @Choice(CSV_COLUMNS, {
    optional: true,
    default: 'short',
    description:
      'The columns of a CSV response. `short`: `timestamp,value,partial,sample_size`. `all`: also `maturing` and, for `mrr_movements`, one column for each movement. Ignored for JSON.',
  })
  readonly csv_columns?: CsvColumns;
}

export const RECOVERY_MEASURES = ['rate', 'amount', 'payments', 'failed_amount'] as const;

export class RecoveryQuery extends SeriesQuery {
  @Choice(RECOVERY_MEASURES, {
    optional: true,
    default: 'rate',
    description:
      '`rate` and `failed_amount` are counted on the day of the first failure, `amount` and `payments` on the day of the recovery.',
  })
  readonly measure?: (typeof RECOVERY_MEASURES)[number];
}

export class MetricQuery extends SeriesQuery {
  @Choice(['voluntary', 'involuntary'], { optional: true, description: 'For `churn_rate`.' })
  readonly by?: 'voluntary' | 'involuntary';

  @Id({ optional: true, description: 'For `delivery_…`. Default: all destinations.' })
  readonly destination_id?: string;

  @Choice(TICKET_TOPICS, { optional: true, description: 'For `ticket_volume`.' })
  readonly topic?: (typeof TICKET_TOPICS)[number];
}

const Movements = Type.Object(Object.fromEntries(MOVEMENTS.map((each) => [each, Type.Integer()])), {
  description: 'For `mrr_movements`: losses are negative, and `value` is the sum.',
});

export const MetricSeries = Type.Object(
  {
    metric: Type.String(),
    window: nullable(oneOf(WINDOWS)),
    from: nullable(Moment),
    to: nullable(Moment),
    timezone: Type.String({ description: 'The time zone in which days begin.' }),
    plan: nullable(Type.String()),
    cohort_id: nullable(Type.String()),
    granularity: oneOf(GRANULARITIES),
    unit: oneOf(UNITS),
    currency: nullable(Type.String()),
    measure: nullable(Type.String()),
    computed_at: Moment,
    points: Type.Array(
      Type.Object({
        timestamp: Moment,
        value: Type.Number(),
        partial: Type.Boolean({
          description: 'True if the bucket is not over, or is cut by the window.',
        }),
        sample_size: Type.Integer(),
        maturing: Type.Boolean({ description: 'True if the value may still change.' }),
        movements: Type.Optional(Movements),
      }),
    ),
  },
  { title: 'MetricSeries' },
);
export type MetricSeries = Static<typeof MetricSeries>;

export const MetricDefinition = Type.Object(
  {
    metric: Type.String(),
    version: Type.Integer(),
    unit: oneOf(UNITS),
    parameters: Type.Array(Type.String()),
    formula: Type.String(),
    exclusions: Type.Array(Type.String()),
    measures: Type.Array(
      Type.Object({ measure: Type.String(), unit: oneOf(UNITS), formula: Type.String() }),
    ),
  },
  { title: 'MetricDefinition' },
);
export type MetricDefinition = Static<typeof MetricDefinition>;

const RETENTION_MONTHS_MAX = 24;

export class RetentionQuery {
  @QueryInt({
    optional: true,
    min: 1,
    max: RETENTION_MONTHS_MAX,
    default: 12,
    description: 'How many months, this one included.',
  })
  readonly months?: number;

  @Id({ optional: true, description: 'Counts only subscribers who are in this cohort now.' })
  readonly cohort_id?: string;
}

export const Retention = Type.Object(
  {
    computed_at: Moment,
    data: Type.Array(
      Type.Object({
        month: Type.String({ description: 'Calendar month in UTC, such as `2026-01`.' }),
        subscribers: Type.Integer({ description: 'How many were first active in this month.' }),
        kept: Type.Array(Type.Integer(), {
          description:
            'How many of them had a subscription at the end of this and each later month.',
        }),
      }),
    ),
  },
  { title: 'Retention' },
);
export type Retention = Static<typeof Retention>;
