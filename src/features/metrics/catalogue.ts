import { computeMedian, computePercentile } from './histogram';
import { type Movement, MOVEMENTS, type Series } from './daily-count';
import type { Counts, CutName, Metric } from './metric';

/**
 * Up to this number of durations in a window, percentiles are computed from the single durations.
 * Above it they are computed from bins, which are exact to 2.5 % and fast to read.
 */
export const EXACT_MAX = 5_000;

type UncutMetric = Omit<Metric, 'cuts'>;

const addCuts = (cuts: readonly CutName[], metrics: readonly UncutMetric[]): Metric[] =>
  metrics.map((metric) => ({ ...metric, cuts }));

const createRatio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const createGauge = (name: string, series: Series, formula: string): UncutMetric => ({
  name,
  unit: 'count',
  series: [series],
  parameters: [],
  formula,
  exclusions: [],
  compute: (counts) => ({ value: counts.atEnd(series), sampleSize: counts.atEnd(series) }),
});

const createRecovery = (
  measure: string,
  metric: Pick<Metric, 'unit' | 'series' | 'parameters' | 'formula' | 'compute'>,
): UncutMetric => ({
  name: 'recovery',
  measure,
  exclusions: [
    'first payments and the payment after a trial',
    'payments that succeed after their case was closed: these are reactivations',
  ],
  ...metric,
  parameters: ['measure', ...metric.parameters],
});

const RECOVERY_METRICS: readonly UncutMetric[] = [
  createRecovery('rate', {
    unit: 'ratio',
    series: ['recovery_opened', 'recovery_won', 'recovery_open'],
    parameters: [],
    formula:
      'cases opened in the bucket (first failed attempt of a recurring payment) that closed recovered ÷ cases opened in the bucket; open cases count as not recovered',
    compute: (counts) => ({
      value: createRatio(counts.sum('recovery_won'), counts.sum('recovery_opened')),
      sampleSize: counts.sum('recovery_opened'),
      maturing: counts.sum('recovery_open') > 0,
    }),
  }),
  createRecovery('amount', {
    unit: 'minor_units',
    series: ['recovered_amount', 'recovered_payments'],
    parameters: ['currency'],
    formula: 'amounts of the cases that closed recovered in the bucket, by the day of recovery',
    compute: (counts) => ({
      value: counts.sum('recovered_amount'),
      sampleSize: counts.sum('recovered_payments'),
    }),
  }),
  createRecovery('payments', {
    unit: 'count',
    series: ['recovered_payments'],
    parameters: [],
    formula: 'cases that closed recovered in the bucket, by the day of recovery',
    compute: (counts) => ({
      value: counts.sum('recovered_payments'),
      sampleSize: counts.sum('recovered_payments'),
    }),
  }),
  createRecovery('failed_amount', {
    unit: 'minor_units',
    series: ['failed_amount', 'recovery_opened'],
    parameters: ['currency'],
    formula: 'amounts of the cases opened in the bucket, by the day of the first failure',
    compute: (counts) => ({
      value: counts.sum('failed_amount'),
      sampleSize: counts.sum('recovery_opened'),
    }),
  }),
];

const sumMovement = (counts: Counts, part: Movement): number => counts.sum('mrr_movement', part);

const sumLostMrr = (counts: Counts): number =>
  0 - sumMovement(counts, 'churn') - sumMovement(counts, 'contraction');

const createMrrChurn = (
  name: string,
  formula: string,
  gained: readonly Movement[],
): UncutMetric => ({
  name,
  unit: 'ratio',
  series: ['mrr', 'mrr_movement', 'active'],
  parameters: ['currency'],
  formula: `${formula}; \`sample_size\` counts the active subscribers of all currencies at its start`,
  exclusions: ['paused and resumed MRR, which stand apart'],
  compute: (counts) => {
    const start = counts.atStart('mrr');
    const won = gained.reduce((sum, each) => sum + sumMovement(counts, each), 0);
    const sampleSize = start === 0 ? 0 : counts.atStart('active');
    return { value: createRatio(sumLostMrr(counts) - won, start), sampleSize };
  },
});

const REVENUE_METRICS: readonly UncutMetric[] = [
  {
    name: 'mrr',
    unit: 'minor_units',
    series: ['mrr', 'active'],
    parameters: ['currency'],
    formula:
      'at the end of the bucket: sum of the monthly-normalised prices of active subscriptions, past due included; year ÷ 12, week × 52 ÷ 12, day × 365 ÷ 12, each subscription’s rounded to a minor unit; `sample_size` counts the active subscribers of all currencies',
    exclusions: [
      'trialing and paused subscriptions',
      'taxes and one-off charges',
      'discounts of duration once and repeating; forever discounts reduce it',
    ],
    compute: (counts) => ({ value: counts.atEnd('mrr'), sampleSize: counts.atEnd('active') }),
  },
  {
    name: 'mrr_movements',
    unit: 'minor_units',
    series: ['mrr_movement', 'mrr_movements'],
    parameters: ['currency'],
    formula:
      'change of MRR inside the bucket by cause, for each subscription; losses are negative and the value is the sum',
    exclusions: [],
    compute: (counts) => {
      const movements = Object.fromEntries(
        MOVEMENTS.map((each) => [each, sumMovement(counts, each)]),
      ) as Record<Movement, number>;
      const value = Object.values(movements).reduce((sum, each) => sum + each, 0);
      return { value, sampleSize: counts.sum('mrr_movements'), movements };
    },
  },
  createMrrChurn(
    'mrr_churn_gross',
    '(churned + contracted MRR of the bucket) ÷ MRR at its start',
    [],
  ),
  createMrrChurn(
    'mrr_churn_net',
    '(churned + contracted − expanded − reactivated MRR of the bucket) ÷ MRR at its start',
    ['expansion', 'reactivation'],
  ),
  {
    name: 'arpu',
    unit: 'minor_units',
    series: ['mrr', 'active'],
    parameters: ['currency'],
    formula:
      'MRR of the currency ÷ all active subscribers, whatever currency they pay in, both at the end of the bucket, to the nearest minor unit',
    exclusions: [],
    compute: (counts) => ({
      value: Math.round(createRatio(counts.atEnd('mrr'), counts.atEnd('active'))),
      sampleSize: counts.atEnd('active'),
    }),
  },
  {
    name: 'refund_rate',
    unit: 'ratio',
    series: ['paid', 'payments', 'refunded'],
    parameters: ['currency'],
    formula: 'amounts refunded in the bucket ÷ amounts paid in the bucket, each by its own day',
    exclusions: [],
    compute: (counts) => ({
      value: createRatio(counts.sum('refunded'), counts.sum('paid')),
      sampleSize: counts.sum('payments'),
    }),
  },
];

const CREDIT_METRICS: readonly UncutMetric[] = [
  {
    name: 'credit_outstanding',
    unit: 'minor_units',
    series: ['credit_outstanding', 'credits_open'],
    parameters: ['currency'],
    formula: 'what is left of all customer credits at the end of the bucket',
    exclusions: [],
    compute: (counts) => ({
      value: counts.atEnd('credit_outstanding'),
      sampleSize: counts.atEnd('credits_open'),
    }),
  },
];

const SUBSCRIBERS: readonly UncutMetric[] = [
  createGauge(
    'active_subscribers',
    'active',
    'subscribers with an active subscription, at the end of the bucket',
  ),
  createGauge(
    'trialing',
    'trialing',
    'subscribers whose primary subscription is trialing, at the end of the bucket',
  ),
  createGauge(
    'paused',
    'paused',
    'subscribers whose primary subscription is paused, at the end of the bucket',
  ),
  createGauge(
    'past_due',
    'past_due',
    'subscribers with an unpaid running subscription, at the end of the bucket',
  ),
  {
    name: 'churn_rate',
    unit: 'ratio',
    series: ['churned', 'active'],
    parameters: ['by'],
    formula:
      'subscribers whose last paid subscription was cancelled or lapsed in the bucket ÷ active subscribers at its start',
    exclusions: [
      'trials that were never paid',
      'subscribers who joined inside the bucket, from the denominator (Stripe adds them)',
    ],
    compute: (counts, { by }) => ({
      value: createRatio(counts.sum('churned', by), counts.atStart('active')),
      sampleSize: counts.atStart('active'),
    }),
  },
  {
    name: 'trial_conversion',
    unit: 'ratio',
    series: ['trials_ended', 'trials_converted', 'trials_open'],
    parameters: [],
    formula:
      'trials converted whose first payment was paid ÷ trials converted, cancelled or lapsed, by the day of trial_end; converted also when it is paid late',
    exclusions: ['trials that are not settled: the bucket is maturing until they are'],
    compute: (counts) => ({
      value: createRatio(counts.sum('trials_converted'), counts.sum('trials_ended')),
      sampleSize: counts.sum('trials_ended'),
      maturing: counts.sum('trials_open') > 0,
    }),
  },
];

const createLatency = (percent: number): UncutMetric => ({
  name: `delivery_latency_p${percent}`,
  unit: 'seconds',
  series: [],
  histogram: 'delivery_latency',
  parameters: ['destination_id'],
  formula: `${percent} % of deliveries took at most so long from the event's creation to a 2xx, by the event's day; exact to 2.5 %. Of imported and simulated time, from when the event was recorded`,
  exclusions: ['replays', 'deliveries that have not succeeded'],
  compute: (counts) => ({
    value: computePercentile(counts.histogram('delivery_latency'), percent / 100),
    sampleSize: counts.sum('delivery_latency'),
  }),
});

const DELIVERIES: readonly UncutMetric[] = [
  {
    name: 'delivery_success',
    unit: 'ratio',
    series: ['deliveries_due', 'deliveries_in_time'],
    parameters: ['destination_id'],
    formula:
      'due events that were answered with a 2xx within 24 h ÷ due events, by the day of the event. The 24 h begin when the event is created; for imported and simulated events, when it is recorded.',
    exclusions: ['replays', 'events whose first attempt has not been made'],
    compute: (counts) => ({
      value: createRatio(counts.sum('deliveries_in_time'), counts.sum('deliveries_due')),
      sampleSize: counts.sum('deliveries_due'),
    }),
  },
  createLatency(50),
  createLatency(95),
];

const MOTIONS_AND_TICKETS: readonly UncutMetric[] = [
  {
    name: 'motion_acceptance',
    unit: 'ratio',
    series: ['motions_presented', 'motions_accepted', 'motions_open'],
    parameters: [],
    formula: 'offers accepted ÷ offers presented, by the day of the presentation',
    exclusions: ['runs that were triggered and never presented'],
    compute: (counts) => ({
      value: createRatio(counts.sum('motions_accepted'), counts.sum('motions_presented')),
      sampleSize: counts.sum('motions_presented'),
      maturing: counts.sum('motions_open') > 0,
    }),
  },
  {
    name: 'ticket_volume',
    unit: 'count',
    series: ['tickets'],
    parameters: ['topic'],
    formula: 'tickets submitted in the bucket',
    exclusions: [],
    compute: (counts, { topic }) => {
      const value = counts.sum('tickets', topic);
      return { value, sampleSize: value };
    },
  },
  {
    name: 'ticket_resolution_p50',
    unit: 'seconds',
    series: [],
    histogram: 'ticket_resolution',
    exact: 'ticket_resolution_seconds',
    parameters: [],
    formula: `median time from submission to resolution, by the day of the resolution; to the second up to ${EXACT_MAX} of them in the window, beyond that to 2.5 %`,
    exclusions: ['tickets that are not resolved'],
    compute: (counts) => {
      const sampleSize = counts.sum('ticket_resolution');
      const isExact = counts.sum('ticket_resolution_seconds') === sampleSize;
      const value = isExact
        ? computeMedian(counts.parts('ticket_resolution_seconds'))
        : computePercentile(counts.histogram('ticket_resolution'), 0.5);
      return { value, sampleSize };
    },
  },
];

/** All metrics. The four measures of recovery are one metric with a parameter. */
export const METRICS: readonly Metric[] = [
  ...addCuts(['plan', 'cohort_id', 'timezone'], [...REVENUE_METRICS, ...RECOVERY_METRICS]),
  ...addCuts(['cohort_id', 'timezone'], CREDIT_METRICS),
  ...addCuts(['plan', 'cohort_id', 'timezone'], SUBSCRIBERS),
  // Deliveries have no cuts: an event may have no plan, and the outcome of its delivery is in no
  // subscriber's stream.
  ...addCuts([], DELIVERIES),
  ...addCuts(['cohort_id', 'timezone'], MOTIONS_AND_TICKETS),
];

export const METRIC_NAMES: readonly string[] = [...new Set(METRICS.map(({ name }) => name))];

/**
 * The version changes whenever a formula does: numbers of different versions must not be compared.
 */
export const DEFINITION_VERSION = 2;
