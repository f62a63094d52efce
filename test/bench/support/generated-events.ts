import type { StoredEvent } from '../../../src/event-store/stored-event';
import { fromMillis, type Instant, plusDays, toMillis } from '../../../src/kernel/time';

/** The number of events of each generated subscriber. */
export const EVENTS_PER_SUBSCRIBER = 10;
export const SCOPE = { tenantId: 'tnt_bench', environment: 'test' } as const;
export const SCOPE_NAME = 'tnt_bench.test';
/** The current time of the benchmark. The history ends a day before it. */
export const NOW = '2026-03-11T12:00:00.000Z' as Instant;
const HISTORY_DAYS = 720;
const BATCH = 1_000;

/** Generates the events of all subscribers, one batch at a time. */
export function* generateBatches(subscribers: number): Generator<StoredEvent[]> {
  const each = Math.ceil(BATCH / EVENTS_PER_SUBSCRIBER);
  for (let from = 0; from < subscribers; from += each) {
    const batch: StoredEvent[] = [];
    for (let i = from; i < Math.min(from + each, subscribers); i += 1)
      batch.push(...generateLife(i, subscribers));
    yield batch;
  }
}

/**
 * Generates one subscriber: registered, active, renewed; some churn, some fail and recover, some
 * submit tickets. They register one after the other, because a log is in the order of time.
 */
const generateLife = (n: number, subscribers: number): StoredEvent[] => {
  const subscriberId = `subscriber_${String(n).padStart(16, '0')}`;
  const sub = subscriberId.replace('subscriber', 'sub');
  const registered = plusDays(NOW, -1 - HISTORY_DAYS * (1 - n / subscribers));
  const active = {
    id: sub,
    status: 'active',
    past_due: false,
    trial: false,
    trial_end: null,
    mrr: 2000,
    currency: 'USD',
  };
  const ended = n % 5 === 0;
  const buildPaymentEvent = (k: number, more: object = {}) => ({
    ...buildPayment(`pay_${n}_${k}`, subscriberId, registered),
    ...more,
  });
  const recovery = { outcome: 'open', first_failed_at: plusDays(registered, 1) };
  const facts: [string, object, boolean][] = [
    [
      'subscriber.created',
      { external_id: null, tags: n % 3 === 0 ? ['vip'] : [], metadata: {}, test_clock: null },
      false,
    ],
    ['payment.succeeded', { payment: buildPaymentEvent(1) }, false],
    ['subscription.activated', { plan: 'pro' }, true],
    ['payment.failed', { payment: buildPaymentEvent(2, { status: 'open', recovery }) }, true],
    [
      'payment.recovered',
      { payment_id: buildPaymentEvent(2).id, amount: 2000, currency: 'USD' },
      true,
    ],
    ['ticket.submitted', { ticket: buildTicket(n, subscriberId, registered) }, true],
    ['payment.succeeded', { payment: buildPaymentEvent(2, { attempt_count: 2, recovery }) }, true],
    ['ticket.resolved', buildResolution(n, subscriberId, registered), true],
    ['payment.succeeded', { payment: buildPaymentEvent(3) }, true],
    ended
      ? ['subscription.cancelled', { voluntary: true, closing: NOTHING_OPEN }, false]
      : ['subscription.renewed', { plan: 'pro' }, true],
  ];
  return facts.map(([type, data, running], i) => {
    const at = plusDays(registered, i / 10);
    const status = running ? 'active' : i === facts.length - 1 ? 'cancelled' : null;
    return {
      uuid: '',
      id: `evt_${String(n * EVENTS_PER_SUBSCRIBER + i).padStart(26, '0')}`,
      type,
      stream: `${SCOPE_NAME}-${subscriberId}`,
      owner: { scope: SCOPE, scopeName: SCOPE_NAME, subscriberId },
      revision: i,
      position: BigInt(n * EVENTS_PER_SUBSCRIBER + i),
      data,
      metadata: {
        schema: 'v1',
        at,
        command: '',
        ...(i > 1
          ? {
              subscription_id: sub,
              subscription: {
                id: sub,
                status: status ?? 'active',
                plan: 'pro',
                created_at: registered,
              },
            }
          : {}),
        subscriber: {
          id: subscriberId,
          created_at: registered,
          registered_at: registered,
          activated_at: registered,
          status,
          plan: 'pro',
          primary_subscription_id: i > 1 ? sub : null,
          running: running ? [active] : [],
          total_paid: 2000,
          paid_currency: 'USD',
          totals_by_currency: { USD: 2000 },
          last_payment_at: at,
          due_at: running ? plusDays(at, 30) : null,
          test_clock: null,
        },
      },
    } as unknown as StoredEvent;
  });
};

const NOTHING_OPEN = { payments: [], reinstated: [] };

const buildPayment = (id: string, subscriberId: string, at: Instant) => ({
  id,
  subscriber_id: subscriberId,
  subscription_id: subscriberId.replace('subscriber', 'sub'),
  status: 'succeeded',
  amount: 2000,
  amount_refunded: 0,
  credit_applied: 0,
  currency: 'USD',
  reason: 'renewal',
  period_start: at,
  period_end: plusDays(at, 30),
  attempt_count: 1,
  next_attempt_at: null,
  grace_ends_at: null,
  failure: null,
  payment_method: 'pm_test_ok',
  provider: 'test',
  provider_ref: null,
  recovery: null,
  lines: [{ description: 'Pro', amount: 2000 }],
  created_at: at,
  succeeded_at: at,
});

const buildTicket = (n: number, subscriberId: string, at: Instant) => ({
  id: `tkt_${n}`,
  subscriber_id: subscriberId,
  topic: 'other',
  priority: 'normal',
  source: 'help_center',
  status: 'open',
  created_at: at,
});

/**
 * Returns a duration from a second to a month, uniform on a logarithmic scale, which is the hardest
 * case for histograms.
 */
const spreadSeconds = (n: number): number =>
  Math.exp((((n * 7_919) % 10_007) / 10_007) * Math.log(30 * 86_400));

const buildResolution = (n: number, subscriberId: string, at: Instant) => ({
  ticket: { ...buildTicket(n, subscriberId, at), status: 'resolved' },
  resolution_seconds: Math.round(spreadSeconds(n)),
});

/** Builds the journal of a destination about delivered events. */
export const buildJournal = (
  events: readonly StoredEvent[],
  destination: number,
  revision: number,
): StoredEvent => {
  const outcomes = events.map(({ id, metadata }, i) => ({
    scope: SCOPE_NAME,
    kind: 'delivered',
    attempt: 1,
    event_id: id,
    created_at: metadata.at,
    at: fromMillis(toMillis(metadata.at) + Math.round(spreadSeconds(revision + i) * 10)),
  }));
  return {
    type: 'delivery.outcomes_recorded',
    stream: `deliveries-we_${destination}`,
    owner: null,
    revision,
    data: { destination_id: `we_${destination}`, outcomes },
    metadata: { at: NOW },
  } as unknown as StoredEvent;
};
