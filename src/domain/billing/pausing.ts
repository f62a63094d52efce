import type { Draft } from '../../kernel/draft';
import { DomainError } from '../../kernel/errors';
import { multiplyDivide } from '../../kernel/money';
import { type Instant, later, msBetween, plusMs } from '../../kernel/time';
import type { AcceptedMotions } from './accepted-motions';
import {
  collectAmount,
  type CollectionResult,
  type CollectingState,
  type IfDeclined,
  getUnchargedLines,
  type PaymentEffects,
} from './collecting';
import type { CreditFact } from './credit.events';
import type { Line, PaymentFact } from './payment.events';
import { createPeriodLines, requireNoOpenPayment } from './proration';
import { createConverted } from './starting';
import {
  computePeriod,
  requireSubscription,
  type Subscription,
  type Subscriptions,
} from './subscription';
import type { SubscriptionFact } from './subscription.events';
import { invalidTransitionError, checkCommand } from './transitions';

export type SubscriptionDraft = Draft<{ readonly subscriptions: Subscriptions }, SubscriptionFact>;

export type BillingDraft = Draft<
  { readonly subscriptions: Subscriptions; readonly runs: AcceptedMotions } & CollectingState,
  SubscriptionFact | PaymentFact | CreditFact
>;

type PausingEffects = Pick<PaymentEffects, 'actor' | 'motionRunId'>;

export interface PauseRequest {
  readonly subscriptionId: string;
  readonly effective: 'period_end' | 'immediately';
  readonly resumesAt: Instant | null;
}

/** Pauses a subscription (D-05). An immediate pause freezes the rest of the period or trial. */
export const pauseSubscription = (
  draft: SubscriptionDraft,
  acting: PausingEffects,
  request: PauseRequest,
): void => {
  const subscription = requireSubscription(draft.state, request.subscriptionId);
  const command = request.effective === 'immediately' ? 'pause' : 'pause_at_period_end';
  if (!checkCommand(command, subscription)) return;
  requirePausable(subscription);
  checkResumesAt(subscription, request, draft.now);
  if (request.effective === 'immediately') {
    draft.add(
      createPaused(subscription, {
        effective: 'immediately',
        at: draft.now,
        resumesAt: request.resumesAt,
        remainingMs: Math.max(0, msBetween(draft.now, subscription.period.end)),
        ...describeOrigin(acting),
      }),
    );
    return;
  }
  schedulePause(draft, acting, { subscription, resumesAt: request.resumesAt });
};

const describeOrigin = ({ actor, motionRunId }: PausingEffects) => ({
  actor,
  motionRunId,
  reason: motionRunId === null ? 'requested' : 'motion',
});

const requirePausable = (subscription: Subscription): void => {
  if (subscription.pastDueSince !== null) {
    throw new DomainError(
      'payment_past_due',
      'A subscription with an unpaid amount cannot be paused.',
    );
  }
  const { status, cancelAt } = subscription;
  if (cancelAt === null) return;
  throw new DomainError(
    'invalid_state_transition',
    'The subscription is to be cancelled: undo that first.',
    // A scheduled cancellation refuses the pause in every status.
    { details: { current_status: status, cancel_at: cancelAt, allowed: [] } },
  );
};

const checkResumesAt = (
  { period }: Subscription,
  { resumesAt, effective }: PauseRequest,
  now: Instant,
): void => {
  const pausesAt = effective === 'immediately' ? now : period.end;
  if (resumesAt === null || resumesAt > pausesAt) return;
  throw new DomainError('parameter_invalid', 'resumes_at must be after the pause begins.', {
    param: 'resumes_at',
  });
};

interface PauseDetails {
  readonly effective: 'period_end' | 'immediately';
  readonly at: Instant;
  readonly resumesAt: Instant | null;
  readonly remainingMs: number;
  readonly reason: string;
  readonly motionRunId: string | null;
  readonly actor: PaymentEffects['actor'];
}

const createPaused = ({ id }: Subscription, how: PauseDetails): SubscriptionFact => ({
  type: 'subscription.paused',
  subscriptionId: id,
  data: {
    effective: how.effective,
    effective_at: how.at,
    resumes_at: how.resumesAt,
    remaining_seconds: Math.floor(how.remainingMs / 1000),
    remaining_ms: how.remainingMs,
    reason: how.reason,
    motion_run_id: how.motionRunId,
    actor: how.actor,
  },
});

const schedulePause = (
  draft: SubscriptionDraft,
  acting: PausingEffects,
  { subscription, resumesAt }: { subscription: Subscription; resumesAt: Instant | null },
): void => {
  const { id, period, pause: current } = subscription;
  if (current.kind === 'scheduled' && current.resumesAt === resumesAt) return;
  const { actor, motionRunId, reason } = describeOrigin(acting);
  draft.add({
    type: 'subscription.pause_scheduled',
    subscriptionId: id,
    data: {
      effective: 'period_end',
      effective_at: period.end,
      resumes_at: resumesAt,
      remaining_seconds: 0,
      reason,
      motion_run_id: motionRunId,
      actor,
    },
  });
};

/** Starts a scheduled pause. The period is over, so no time is frozen. */
export const beginScheduledPause = (draft: SubscriptionDraft, subscription: Subscription): void => {
  const { pause: scheduled } = subscription;
  if (scheduled.kind !== 'scheduled') return;
  draft.add(
    createPaused(subscription, {
      effective: 'period_end',
      at: scheduled.at,
      resumesAt: scheduled.resumesAt,
      remainingMs: 0,
      reason: 'scheduled',
      motionRunId: scheduled.motionRunId,
      actor: 'system',
    }),
  );
};

/** Pauses a trial that ended without a payment method, if the tenant's settings say so. */
export const pauseAtTrialEnd = (draft: SubscriptionDraft, subscription: Subscription): void => {
  draft.add(
    createPaused(subscription, {
      effective: 'period_end',
      at: subscription.period.end,
      resumesAt: null,
      remainingMs: 0,
      reason: 'trial_ended_without_payment',
      motionRunId: null,
      actor: 'system',
    }),
  );
};

export interface ResumeRequest {
  readonly subscriptionId: string;
  readonly billing: 'continue' | 'new_period';
}

/** In these statuses `resume` only removes a scheduled pause, so it is refused without one. */
const NOT_PAUSED = ['trialing', 'active'] as const;

/** Resumes, or removes a scheduled pause (D-06). A decline is recorded and the pause continues. */
export const resumeSubscription = async (
  draft: BillingDraft,
  effects: PaymentEffects,
  request: ResumeRequest,
): Promise<CollectionResult | null> => {
  const subscription = requireSubscription(draft.state, request.subscriptionId);
  checkCommand('resume', subscription, NOT_PAUSED);
  if (subscription.pause.kind === 'scheduled') {
    draft.add({
      type: 'subscription.pause_unscheduled',
      subscriptionId: subscription.id,
      data: { reason: 'requested', actor: effects.actor },
    });
    return null;
  }
  return resumePaused(draft, effects, {
    subscription,
    billing: request.billing,
    ifDeclined: 'record',
    reason: 'requested',
  });
};

interface ResumptionInput {
  readonly subscription: Subscription;
  readonly billing: 'continue' | 'new_period';
  readonly ifDeclined: IfDeclined;
  readonly reason: string;
}

/** Ends a pause. The frozen time continues, or a new period is charged and begins. */
export const resumePaused = async (
  draft: BillingDraft,
  effects: PaymentEffects,
  resumption: ResumptionInput,
): Promise<CollectionResult | null> => {
  const { subscription, billing, ifDeclined } = resumption;
  const { pause: paused } = subscription;
  if (paused.kind !== 'in_effect') {
    throw invalidTransitionError('resume', subscription, NOT_PAUSED);
  }
  if (paused.remainingMs > 0 && billing === 'continue') {
    draft.add(continuePeriod(subscription, effects, { now: draft.now, reason: resumption.reason }));
    return null;
  }
  const frozenTime = createFrozenTimeLines(subscription);
  if (frozenTime.length > 0) {
    requireNoOpenPayment(subscription, {
      param: 'billing',
      instead: 'resume with billing "continue"',
    });
  }
  const period = computePeriod(subscription.terms, draft.now);
  const collected = await collectAmount(draft, effects, {
    subscription,
    reason: 'resume',
    terms: subscription.terms,
    period,
    lines: [...frozenTime, ...createPeriodLines(subscription, subscription.terms, period)],
    ifDeclined,
  });
  if (collected.outcome === 'declined' && ifDeclined === 'record') return collected;
  const paymentId = collected.payment?.id ?? null;
  // A paused trial becomes active for the first time.
  if (paused.wasTrialing) {
    const { terms } = subscription;
    draft.add(createConverted(subscription, { terms, period, paymentId, actor: effects.actor }));
  }
  draft.add({
    type: 'subscription.resumed',
    subscriptionId: subscription.id,
    data: {
      resulting_status: 'active',
      billing: 'new_period',
      period_shifted_seconds: 0,
      period_start: period.start,
      period_end: period.end,
      payment_id: paymentId,
      reason: resumption.reason,
      actor: effects.actor,
      ...getUnchargedLines(collected),
      terms: subscription.terms,
    },
  });
  return collected;
};

/**
 * Returns the frozen time of a paid period as a credit line. A trial costs nothing and has none.
 */
const createFrozenTimeLines = ({
  pause: paused,
  period,
  periodPrice,
  terms,
}: Subscription): Line[] => {
  if (paused.kind !== 'in_effect' || paused.remainingMs === 0 || paused.wasTrialing) return [];
  const length = msBetween(period.start, period.end);
  const amount = multiplyDivide(periodPrice, paused.remainingMs, length);
  if (amount === 0) return [];
  return [
    {
      kind: 'credit',
      plan: terms.plan,
      amount: -amount,
      period_start: paused.at,
      period_end: period.end,
    },
  ];
};

/** Continues the frozen time from now. The period keeps its length and shifts by the pause. */
const continuePeriod = (
  subscription: Subscription,
  { actor }: PausingEffects,
  { now, reason }: { now: Instant; reason: string },
): SubscriptionFact => {
  const { pause: paused, period, terms, id } = subscription;
  const frozen = paused.kind === 'in_effect' ? paused : { remainingMs: 0, wasTrialing: false };
  const end = plusMs(now, frozen.remainingMs);
  const shiftMs = Math.max(0, msBetween(period.end, end));
  return {
    type: 'subscription.resumed',
    subscriptionId: id,
    data: {
      resulting_status: frozen.wasTrialing ? 'trialing' : 'active',
      billing: 'continue',
      period_shifted_seconds: Math.floor(shiftMs / 1000),
      period_start: later(period.start, plusMs(period.start, shiftMs)),
      period_end: end,
      payment_id: null,
      reason,
      actor,
      terms,
    },
  };
};
