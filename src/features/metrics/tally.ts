import { requirePresent } from '../../kernel/present';
import type { StoredEvent } from '../../event-store/stored-event';
import type { JsonObject } from '../../kernel/json';
import type { Instant } from '../../kernel/time';
import type { SubscriptionFact } from '../../domain/billing/subscription.events';
import type { SubscriptionSummary } from '../../domain/billing/subscription-summary';
import type { Day } from '../../domain/metrics/buckets';
import { UTC, type Zone } from '../../domain/metrics/zone';
import type { Count, Movement, Series } from './daily-count';
import { findBin, createHistogram, toSecondsPart } from './histogram';

interface Trial {
  readonly day: Day;
  readonly activated: boolean;
  readonly paid: boolean;
}

/** The state of one subscriber that is needed to count the next event. */
export interface Tally {
  /**
   * Sequence of the last event that was counted; an event that arrives again is not counted again.
   */
  readonly sequence: number;
  readonly running: readonly SubscriptionSummary[];
  /** Status of the primary subscription. */
  readonly status: string | null;
  readonly trials: Readonly<Record<string, Trial>>;
  /** Day of the first failure of each open recovery case, by payment id. */
  readonly cases: Readonly<Record<string, Day>>;
  readonly credits: Readonly<Record<string, number>>;
  /**
   * Day on which each open offer was presented, by run id. An open offer is neither accepted nor
   * declined.
   */
  readonly offers: Readonly<Record<string, Day>>;
}

export const NEW_TALLY: Tally = {
  sequence: 0,
  running: [],
  status: null,
  trials: {},
  cases: {},
  credits: {},
  offers: {},
};

const FAMILIES = /^(subscription|payment|credit|ticket|motion)\./;

export const isCounted = (type: string): boolean => FAMILIES.test(type);

type Data = StoredEvent['data'];

/** The fields of an event that are needed to count it. */
export interface TalliedEvent extends Pick<StoredEvent, 'type' | 'data' | 'revision'> {
  readonly metadata: {
    readonly at: Instant;
    readonly subscription_id?: string;
    readonly subscriber?: JsonObject;
    readonly subscription?: JsonObject;
  };
}

/**
 * The fields of a payment that are needed to count it. They exist in every version of the event
 * format.
 */
interface Payment {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
  readonly succeeded_at: Instant | null;
  readonly recovery: { readonly outcome: string; readonly first_failed_at: Instant } | null;
}

/** An event with the tally before it and the function that adds a count. */
interface Counted {
  readonly type: string;
  readonly data: Data;
  readonly at: Instant;
  readonly subscriptionId: string | undefined;
  readonly before: Tally;
  readonly running: readonly SubscriptionSummary[];
  readonly status: string | null;
  readonly dayOf: (at: Instant) => Day;
  readonly count: (series: Series, value: number, where?: Partial<Count>) => void;
}

/**
 * Counts one event of a subscriber's stream. It returns the tally after the event and the counts
 * that the event adds.
 */
export const tallyEvent = (
  before: Tally,
  event: TalliedEvent,
  { dayOf }: Pick<Zone, 'dayOf'> = UTC,
): { after: Tally; counts: Count[] } => {
  const sequence = event.revision + 1;
  if (sequence <= before.sequence) return { after: before, counts: [] };
  const counts: Count[] = [];
  const { at, subscriber } = event.metadata;
  const day = dayOf(at);
  const counted: Counted = {
    type: event.type,
    data: event.data,
    at,
    subscriptionId: event.metadata.subscription_id,
    before,
    running: (subscriber?.['running'] ?? []) as unknown as readonly SubscriptionSummary[],
    status: (subscriber?.['status'] ?? null) as string | null,
    dayOf,
    count: (series, value, where = {}) => {
      if (value !== 0) counts.push({ series, day, currency: '', part: '', value, ...where });
    },
  };
  countGauges(counted);
  countMovements(counted);
  countChurn(counted);
  countMoney(counted);
  countTickets(counted);
  const after: Tally = {
    sequence,
    running: counted.running,
    status: counted.status,
    trials: countTrials(counted),
    cases: countRecovery(counted),
    credits: countCredits(counted),
    offers: countOffers(counted),
  };
  return { after, counts };
};

/**
 * Counts subscribers by the status of their primary subscription. They are past due if any of their
 * subscriptions is.
 */
const countGauges = ({ before, status, running, count }: Counted): void => {
  for (const gauge of ['active', 'trialing', 'paused'] as const) {
    count(gauge, Number(status === gauge) - Number(before.status === gauge));
  }
  count('past_due', Number(isPastDue(running)) - Number(isPastDue(before.running)));
};

const isPastDue = (running: readonly SubscriptionSummary[]): boolean =>
  running.some(({ past_due }) => past_due);

/**
 * Counts each change of a subscription's MRR as one movement, so the movements add up to the
 * change.
 */
const countMovements = ({ type, before, running, count }: Counted): void => {
  const ids = new Set([...before.running, ...running].map(({ id }) => id));
  for (const id of ids) {
    const was = before.running.find((each) => each.id === id);
    const is = running.find((each) => each.id === id);
    const change = (is?.mrr ?? 0) - (was?.mrr ?? 0);
    const { currency } = requirePresent(is ?? was, 'a running subscription');
    count('mrr', change, { currency });
    count('mrr_movement', change, { currency, part: classifyMovement(type, change) });
    count('mrr_movements', Number(change !== 0), { currency });
  }
};

/**
 * The movement that each event of a subscription causes; null = the sign of the change decides. A
 * new event type fails to compile until it is listed here.
 */
const MOVEMENT_OF: Readonly<Record<SubscriptionFact['type'], Movement | null>> = {
  'subscription.trial_started': null,
  'subscription.trial_will_end': null,
  'subscription.trial_extended': null,
  'subscription.activated': 'new',
  'subscription.renewed': null,
  'subscription.renewal_upcoming': null,
  'subscription.plan_changed': null,
  'subscription.discount_applied': null,
  'subscription.pause_scheduled': null,
  'subscription.pause_unscheduled': null,
  'subscription.paused': 'paused',
  'subscription.resumed': 'resumed',
  'subscription.cancellation_scheduled': null,
  'subscription.cancellation_unscheduled': null,
  'subscription.cancelled': 'churn',
  'subscription.past_due': null,
  'subscription.lapsed': 'churn',
  'subscription.reactivated': 'reactivation',
};

const classifyMovement = (type: string, change: number): Movement => {
  const named = isSubscriptionType(type) ? MOVEMENT_OF[type] : null;
  return named ?? (change > 0 ? 'expansion' : 'contraction');
};

const isSubscriptionType = (type: string): type is SubscriptionFact['type'] =>
  Object.hasOwn(MOVEMENT_OF, type);

/**
 * Counts a subscriber as churned when the last subscription that had been paid for ends. A trial
 * does not count.
 */
const countChurn = ({ type, data, before, running, subscriptionId, count }: Counted): void => {
  if (type !== 'subscription.cancelled' && type !== 'subscription.lapsed') return;
  const ended = before.running.find(({ id }) => id === subscriptionId);
  if (ended === undefined || ended.trial || running.some(({ trial }) => !trial)) return;
  count('churned', 1, { part: data['voluntary'] === true ? 'voluntary' : 'involuntary' });
};

const countMoney = ({ type, data, at, dayOf, count }: Counted): void => {
  if (type === 'payment.succeeded') {
    const { amount, currency, succeeded_at } = data['payment'] as unknown as Payment;
    // A payment counts on the day it succeeded, even if the provider reports it later.
    const day = dayOf(succeeded_at ?? at);
    count('paid', amount, { day, currency });
    count('payments', 1, { day, currency });
  }
  if (type === 'payment.refunded') {
    const { amount, currency } = data['refund'] as unknown as { amount: number; currency: string };
    count('refunded', amount, { currency });
  }
};

/**
 * Counts a recovery case on the day of its first failure, and its money also on the day it came in
 * (D-25, D-70).
 */
const countRecovery = ({ type, data, at, before, dayOf, count }: Counted): Tally['cases'] => {
  const { cases } = before;
  if (type === 'payment.failed') {
    const { id, amount, currency, recovery } = data['payment'] as unknown as Payment;
    if (recovery?.outcome !== 'open' || cases[id] !== undefined) return cases;
    const day = dayOf(recovery.first_failed_at);
    count('recovery_opened', 1, { day, currency });
    count('recovery_open', 1, { day });
    count('failed_amount', amount, { day, currency });
    return { ...cases, [id]: day };
  }
  if (type !== 'payment.recovered' && type !== 'payment.recovery_lost') return cases;
  const id = data['payment_id'] as string;
  const day = cases[id];
  if (day === undefined) return cases;
  count('recovery_open', -1, { day });
  if (type === 'payment.recovered') {
    const currency = data['currency'] as string;
    count('recovery_won', 1, { day, currency });
    const { succeeded_at } = (data['payment'] ?? {}) as Partial<Payment>;
    const cameIn = dayOf(succeeded_at ?? at);
    count('recovered_payments', 1, { day: cameIn, currency });
    count('recovered_amount', data['amount'] as number, { day: cameIn, currency });
  }
  return removeEntry(cases, id);
};

/**
 * Counts a trial on the day it ends (D-76). It is converted when its first payment is paid, even if
 * late.
 */
const countTrials = (counted: Counted): Tally['trials'] => {
  const { type, before, running, subscriptionId: id, dayOf, count } = counted;
  if (id === undefined) return before.trials;
  const known = before.trials[id];
  const is = running.find((each) => each.id === id);
  const trialing = is?.status === 'trialing' && is.trial_end !== null;
  if (known === undefined && !trialing) return before.trials;
  // The end of a trial can change: a trial can be extended, and a paused trial can be resumed into
  // a paid period before its end.
  const day =
    is?.trial_end == null ? requirePresent(known, 'the counted trial').day : dayOf(is.trial_end);
  if (known?.day !== day) {
    if (known !== undefined) count('trials_open', -1, { day: known.day });
    count('trials_open', 1, { day });
  }
  const trial: Trial = {
    day,
    activated: !trialing && (known?.activated === true || type === 'subscription.activated'),
    paid: known?.paid === true || isConversion(counted),
  };
  const settled = trialing ? 'open' : classifyTrial(counted, trial);
  if (settled === 'open') return { ...before.trials, [id]: trial };
  count('trials_open', -1, { day });
  count('trials_ended', 1, { day });
  if (settled === 'converted') count('trials_converted', 1, { day });
  return removeEntry(before.trials, id);
};

/**
 * Reasons of the first payment after a trial. It is `resume` if resuming a paused trial begins the
 * paid period.
 */
const CONVERSIONS = ['trial_conversion', 'resume'];

const isConversion = ({ type, data }: Counted): boolean =>
  type === 'payment.succeeded' &&
  CONVERSIONS.includes((data['payment'] as unknown as Payment).reason);

const classifyTrial = ({ type, data }: Counted, trial: Trial): 'open' | 'converted' | 'lost' => {
  if (type === 'subscription.cancelled' || type === 'subscription.lapsed') return 'lost';
  const free = type === 'subscription.activated' && data['payment_id'] === null;
  return trial.activated && (free || trial.paid) ? 'converted' : 'open';
};

/**
 * Counts the change of the credit that subscribers have not used yet. Each event of a credit states
 * its remaining amount.
 */
const countCredits = ({ type, data, before, count }: Counted): Tally['credits'] => {
  const restored = listReinstated(type, data);
  if (!type.startsWith('credit.') && restored.length === 0) return before.credits;
  const changed = type.startsWith('credit.')
    ? [
        {
          id: data['credit_id'] as string,
          remaining:
            type === 'credit.voided' || type === 'credit.expired' ? 0 : Number(data['remaining']),
          currency: data['currency'] as string,
        },
      ]
    : restored;
  const credits = { ...before.credits };
  for (const { id, remaining, currency } of changed) {
    const former = credits[id] ?? 0;
    count('credit_outstanding', remaining - former, { currency });
    count('credits_open', Number(remaining > 0) - Number(former > 0), { currency });
    if (remaining === 0) Reflect.deleteProperty(credits, id);
    else credits[id] = remaining;
  }
  return credits;
};

interface Remaining {
  readonly id: string;
  readonly remaining: number;
  readonly currency: string;
}

/** Returns the credits that are restored because their payments end unpaid with a subscription. */
const listReinstated = (type: string, data: Data): Remaining[] => {
  if (type !== 'subscription.cancelled' && type !== 'subscription.lapsed') return [];
  const closing = data['closing'] as unknown as { reinstated: { credit: Remaining }[] } | undefined;
  return (closing?.reinstated ?? []).map(({ credit }) => credit);
};

const countTickets = ({ type, data, count }: Counted): void => {
  if (type === 'ticket.submitted') {
    count('tickets', 1, { part: (data['ticket'] as { topic: string }).topic });
  }
  if (type === 'ticket.resolved') {
    const seconds = Number(data['resolution_seconds']);
    count('ticket_resolution', 1, { histogram: createHistogram(findBin(seconds)) });
    count('ticket_resolution_seconds', 1, { part: toSecondsPart(seconds) });
  }
};

/** Counts an offer on the day it was presented, even if it is accepted later. */
const countOffers = ({ type, data, at, before, dayOf, count }: Counted): Tally['offers'] => {
  if (!type.startsWith('motion.')) return before.offers;
  const id = data['run_id'] as string;
  if (type === 'motion.presented') {
    count('motions_presented', 1);
    count('motions_open', 1);
    return { ...before.offers, [id]: dayOf(at) };
  }
  const day = before.offers[id];
  if (day === undefined || type === 'motion.triggered') return before.offers;
  count('motions_open', -1, { day });
  if (type === 'motion.accepted') count('motions_accepted', 1, { day });
  return removeEntry(before.offers, id);
};

export const removeEntry = <T>(
  record: Readonly<Record<string, T>>,
  id: string,
): Record<string, T> => Object.fromEntries(Object.entries(record).filter(([key]) => key !== id));
