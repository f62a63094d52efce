import type { Instant } from '../../kernel/time';
import type { Subscription } from './subscription';
import type { CancellationFeedback, EndReason, SubscriptionStatus } from './subscription.events';

export const PAYMENT_STATES = ['ok', 'past_due'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** A subscription as the API shows it. The envelope shows its state at the time of the event. */
export type SubscriptionView = {
  readonly id: string;
  readonly subscriber_id: string;
  readonly external_id: string | null;
  readonly status: SubscriptionStatus;
  readonly plan: string;
  readonly current_period_start: Instant;
  readonly current_period_end: Instant;
  readonly trial_end: Instant | null;
  readonly cancel_at: Instant | null;
  readonly cancel_at_period_end: boolean;
  readonly cancelled_at: Instant | null;
  readonly lapsed_at: Instant | null;
  readonly paused_at: Instant | null;
  readonly pauses_at: Instant | null;
  readonly resumes_at: Instant | null;
  readonly payment_state: PaymentState;
  readonly past_due_since: Instant | null;
  readonly grace_ends_at: Instant | null;
  readonly next_payment_attempt_at: Instant | null;
  readonly pending_plan: string | null;
  readonly cancellation: {
    readonly reason: EndReason;
    readonly feedback: CancellationFeedback | null;
    /** Personal data: null in envelopes and lists, absent without the scope `pii:read`. */
    readonly comment: string | null;
  } | null;
  readonly created_at: Instant;
};

export const viewSubscription = (subscription: Subscription): SubscriptionView => {
  const { pause, period, cancelAt } = subscription;
  const open = Object.values(subscription.openPayments);
  return {
    id: subscription.id,
    subscriber_id: subscription.subscriberId,
    external_id: subscription.externalId,
    status: subscription.status,
    plan: subscription.terms.plan,
    current_period_start: period.start,
    current_period_end: period.end,
    trial_end: subscription.trialEnd,
    cancel_at: cancelAt,
    cancel_at_period_end: cancelAt !== null && cancelAt === period.end,
    cancelled_at: subscription.cancelledAt,
    lapsed_at: subscription.lapsedAt,
    paused_at: pause.kind === 'in_effect' ? pause.at : null,
    pauses_at: pause.kind === 'scheduled' ? pause.at : null,
    resumes_at: pause.kind === 'none' ? null : pause.resumesAt,
    payment_state: subscription.pastDueSince === null ? 'ok' : 'past_due',
    past_due_since: subscription.pastDueSince,
    grace_ends_at: findSoonest(open.map(({ grace_ends_at }) => grace_ends_at)),
    next_payment_attempt_at: findSoonest(open.map(({ next_attempt_at }) => next_attempt_at)),
    // A plan change takes effect at once (D-11). Only its price can wait for the renewal.
    pending_plan: null,
    cancellation:
      subscription.cancellation === null
        ? null
        : {
            reason: subscription.cancellation.reason,
            feedback: subscription.cancellation.feedback,
            comment: null,
          },
    created_at: subscription.createdAt,
  };
};

const findSoonest = (instants: readonly (Instant | null)[]): Instant | null =>
  instants.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
