import { type Static, Type } from '@sinclair/typebox';
import { Choice, CurrencyField, Id, Moment as MomentField, Text } from '../../http/fields/fields';
import { Moment, nullable, oneOf } from '../../domain/schema/fields';
import { TICKET_TOPICS } from '../../domain/tickets/ticket.events';
import {
  GRANULARITIES,
  type Granularity,
  type Window,
  WINDOWS,
} from '../../domain/metrics/buckets';
import { UNITS } from './catalogue';
import { MOVEMENTS } from './tally';

class SeriesQuery {
  @Choice(WINDOWS, { optional: true, default: 'last_30d' })
  readonly window?: Window;

  @MomentField({
    optional: true,
    description:
      'A window of your own instead of `window`. Counting is by the day: the day of this moment is counted whole.',
  })
  readonly from?: string;

  @MomentField({ optional: true, description: 'The end of it, exclusive; now where left out.' })
  readonly to?: string;

  @Choice(GRANULARITIES, { optional: true, default: 'day' })
  readonly granularity?: Granularity;

  @CurrencyField({
    optional: true,
    description: "For money; the tenant's own currency without it.",
  })
  readonly currency?: string;

  @Id({ optional: true, description: 'Subscriptions while they have this plan; no `delivery_…`.' })
  readonly plan?: string;

  @Id({ optional: true, description: 'Who is in this cohort now; no `delivery_…`.' })
  readonly cohort_id?: string;

  @Text({
    optional: true,
    max: 64,
    example: 'Europe/Berlin',
    description: 'Where days, weeks and months begin; UTC where left out, and for `delivery_…`.',
  })
  readonly timezone?: string;
}

export const RECOVERY_MEASURES = ['rate', 'amount', 'payments', 'failed_amount'] as const;

export class RecoveryQuery extends SeriesQuery {
  @Choice(RECOVERY_MEASURES, {
    optional: true,
    default: 'rate',
    description:
      '`rate` and `failed_amount` count by the day of the first failure, `amount` and `payments` by the day of the recovery.',
  })
  readonly measure?: (typeof RECOVERY_MEASURES)[number];
}

export class MetricQuery extends SeriesQuery {
  @Choice(['voluntary', 'involuntary'], { optional: true, description: 'For `churn_rate`.' })
  readonly by?: 'voluntary' | 'involuntary';

  @Id({ optional: true, description: 'For `delivery_…`; all destinations without it.' })
  readonly destination_id?: string;

  @Choice(TICKET_TOPICS, { optional: true, description: 'For `ticket_volume`.' })
  readonly topic?: (typeof TICKET_TOPICS)[number];
}

const Movements = Type.Object(Object.fromEntries(MOVEMENTS.map((each) => [each, Type.Integer()])), {
  description: 'Of `mrr_movements`: losses are negative, `value` is their sum.',
});

export const MetricSeries = Type.Object(
  {
    metric: Type.String(),
    window: nullable(oneOf(WINDOWS)),
    from: nullable(Moment),
    to: nullable(Moment),
    timezone: Type.String({ description: 'Where days begin.' }),
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
        partial: Type.Boolean({ description: 'The window cuts the bucket, or it is not over.' }),
        sample_size: Type.Integer(),
        maturing: Type.Boolean({ description: 'Something in it is not settled yet.' }),
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

/** Formats the points as CSV for spreadsheets. */
export const toCsv = ({ points }: MetricSeries): string =>
  [
    'timestamp,value,partial,sample_size',
    ...points.map((p) => [p.timestamp, p.value, p.partial, p.sample_size].join(',')),
    '',
  ].join('\n');
