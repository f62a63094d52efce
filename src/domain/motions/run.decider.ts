import type { Dated } from '../../kernel/decider';
import type { Draft } from '../../kernel/draft';
import { DomainError, notFound } from '../../kernel/errors';
import type { Actor } from '../../kernel/scope';
import { DAY_MS, HOUR_MS, type Instant, msBetween, plusMs } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import type { KnownMotion } from './motion.decider';
import type { Applied, MotionRun, MotionRunFact, Offer, RunStatus } from './motion.events';

/** The subscriber's motion runs by id. */
export type Runs = Readonly<Record<string, MotionRun>>;

export const noRuns: Runs = {};

export const evolveRuns = (runs: Runs, { data }: Dated<MotionRunFact>): Runs => ({
  ...runs,
  [data.run.id]: data.run,
});

export type RunDraft = Draft<{ readonly runs: Runs }, MotionRunFact>;

/** Reasons why a subscriber cannot get a motion now (D-33), in the order of their checks. */
export const INELIGIBLE_REASONS = [
  'not_in_cohort',
  'cooldown',
  'max_triggers',
  'max_redemptions',
  'live_run_exists',
  'offer_not_applicable',
] as const;
export type IneligibleReason = (typeof INELIGIBLE_REASONS)[number];

export interface TriggerInput {
  readonly motion: KnownMotion;
  readonly subscriberId: string;
  readonly runId: string;
  readonly offer: Offer | null;
  readonly offerOverridden: boolean;
  /** One of the motion's cohorts that the subscriber is in. Null means none. */
  readonly cohortId: string | null;
  /** True if the offer could be applied to the subscriber now. */
  readonly applicable: boolean;
  /**
   * True if the subscriber is in the motion's holdout. Nothing is shown; the run is only counted.
   */
  readonly heldOut: boolean;
  readonly actor: Actor;
}

export const isLive = ({ status }: MotionRun): boolean =>
  status === 'triggered' || status === 'presented';

const wasRedeemed = ({ accepted_at }: MotionRun): boolean => accepted_at !== null;

/** Returns the first reason against the trigger, or null. */
export const findIneligibleReason = (
  runs: Runs,
  trigger: TriggerInput,
  now: Instant,
): IneligibleReason | null => {
  const { id, terms } = trigger.motion;
  const { max_triggers_per_subscriber: maxTriggers, cooldown_days, max_redemptions } = terms.limits;
  const earlier = Object.values(runs).filter((run) => run.motion_id === id);
  const against: Readonly<Record<IneligibleReason, boolean>> = {
    not_in_cohort: terms.cohort_ids.length > 0 && trigger.cohortId === null,
    cooldown: earlier.some(({ created_at }) => msBetween(created_at, now) < cooldown_days * DAY_MS),
    max_triggers: maxTriggers !== null && earlier.length >= maxTriggers,
    max_redemptions: earlier.filter(wasRedeemed).length >= max_redemptions,
    live_run_exists: earlier.some(isLive),
    offer_not_applicable: !trigger.applicable,
  };
  return INELIGIBLE_REASONS.find((reason) => against[reason]) ?? null;
};

/**
 * Triggers the motion for the subscriber, or throws if it may not be triggered. If a run with this id
 * exists already, returns that run and adds no event.
 */
export const triggerMotion = (draft: RunDraft, request: TriggerInput): MotionRun => {
  const repeated = draft.state.runs[request.runId];
  if (repeated !== undefined) return repeated;
  if (request.motion.status !== 'active') {
    throw notActiveError(request.motion);
  }
  const reason = findIneligibleReason(draft.state.runs, request, draft.now);
  if (reason === 'cooldown') throw inCooldownError(draft.state.runs, request.motion);
  if (reason !== null) throw notEligibleError(reason);
  return startRun(draft, request);
};

const notActiveError = ({ id, status }: TriggerInput['motion']): DomainError => {
  const hint =
    status === 'archived'
      ? 'It cannot be activated again: create a new motion.'
      : `Activate it first: POST /v1/motions/${id}/activate.`;
  return new DomainError('motion_not_active', `The motion is ${status}. ${hint}`);
};

export const notEligibleError = (reason: IneligibleReason): DomainError =>
  new DomainError('subscriber_not_eligible', `The subscriber is not eligible: ${reason}.`, {
    details: { reason },
  });

const inCooldownError = (runs: Runs, { id, terms }: KnownMotion): DomainError => {
  const starts = Object.values(runs).flatMap((run) =>
    run.motion_id === id ? [run.created_at] : [],
  );
  const last = starts.sort().at(-1);
  if (last === undefined) return notEligibleError('cooldown');
  const end = plusMs(last, terms.limits.cooldown_days * DAY_MS);
  return new DomainError(
    'subscriber_not_eligible',
    `The subscriber is not eligible: cooldown, which ends at ${end}.`,
    { details: { reason: 'cooldown', cooldown_ends_at: end } },
  );
};

const startRun = (draft: RunDraft, request: TriggerInput): MotionRun => {
  const { motion, heldOut } = request;
  const run: MotionRun = {
    id: request.runId,
    motion_id: motion.id,
    subscriber_id: request.subscriberId,
    kind: motion.terms.kind,
    status: heldOut ? 'suppressed' : 'triggered',
    offer: request.offer,
    offer_overridden: request.offerOverridden,
    cohort_id: request.cohortId,
    reason: heldOut ? 'holdout' : null,
    applied: null,
    created_at: draft.now,
    expires_at: plusMs(draft.now, motion.terms.offer_valid_hours * HOUR_MS),
    presented_at: null,
    accepted_at: null,
    ended_at: heldOut ? draft.now : null,
  };
  draft.add(heldOut ? createOutcome(run, request.actor) : createTriggered(run, request));
  return run;
};

const createTriggered = (run: MotionRun, { motion, actor }: TriggerInput): MotionRunFact => ({
  type: 'motion.triggered',
  data: {
    motion_id: motion.id,
    motion_name: motion.terms.name,
    run_id: run.id,
    kind: motion.terms.kind,
    offer: run.offer,
    offer_overridden: run.offer_overridden,
    expires_at: run.expires_at,
    cohort_id: run.cohort_id,
    actor,
    run,
  },
});

type EndStatus = Exclude<RunStatus, 'queued' | 'triggered'>;

const createOutcome = (run: MotionRun, actor: Actor): MotionRunFact => ({
  type: `motion.${run.status as EndStatus}`,
  data: {
    motion_id: run.motion_id,
    run_id: run.id,
    outcome: run.status,
    reason: run.reason,
    offer: run.offer,
    applied: run.applied,
    actor,
    run,
  },
});

const changeRunStatus = (draft: RunDraft, actor: Actor, run: MotionRun): MotionRun => {
  draft.add(createOutcome(run, actor));
  return run;
};

export const requireRun = ({ runs }: { readonly runs: Runs }, id: string): MotionRun => {
  const run = runs[id];
  if (run === undefined) throw notFound('motion_run', 'runId');
  return run;
};

interface RunReport {
  readonly runId: string;
  readonly actor: Actor;
}

/** Records that the offer was shown. A repeat changes nothing. */
export const recordPresented = (draft: RunDraft, { runId, actor }: RunReport): MotionRun => {
  const run = requireRun(draft.state, runId);
  if (run.presented_at !== null && run.status !== 'expired') return run;
  if (run.status !== 'triggered') throw notLiveError(run);
  return changeRunStatus(draft, actor, { ...run, status: 'presented', presented_at: draft.now });
};

/** Records a decline. An offer that was not reported as shown counts as shown now. */
export const recordDeclined = (
  draft: RunDraft,
  { runId, actor, reason }: RunReport & { readonly reason: string | null },
): MotionRun => {
  const run = requireRun(draft.state, runId);
  if (run.status === 'declined') return run;
  if (!isLive(run)) throw notLiveError(run);
  const shown = recordPresented(draft, { runId, actor });
  return changeRunStatus(draft, actor, {
    ...shown,
    status: 'declined',
    reason,
    ended_at: draft.now,
  });
};

/** Records an acceptance. Returns null if the offer was accepted before. */
export const recordAccepted = (
  draft: RunDraft,
  { runId, actor, reason }: RunReport & { readonly reason: string | null },
): MotionRun | null => {
  const run = requireRun(draft.state, runId);
  if (run.accepted_at !== null) return null;
  if (!isLive(run)) throw notLiveError(run);
  const shown = recordPresented(draft, { runId, actor });
  return changeRunStatus(draft, actor, {
    ...shown,
    status: 'accepted',
    reason,
    accepted_at: draft.now,
  });
};

export const recordApplied = (draft: RunDraft, run: MotionRun, what: Applied | null): MotionRun =>
  changeRunStatus(draft, 'motion', {
    ...run,
    status: 'applied',
    applied: what,
    ended_at: draft.now,
  });

/** Records that an accepted offer could not be applied. No part of it took effect. */
export const recordFailed = (
  draft: RunDraft,
  run: MotionRun,
  { code, facts }: DomainError,
): MotionRun => {
  const { reason = code } = (facts.details ?? {}) as { readonly reason?: string };
  return changeRunStatus(draft, 'motion', {
    ...run,
    status: 'failed',
    reason,
    ended_at: draft.now,
  });
};

/** Returns the live run that expires first. */
export const findNextRunExpiry = (runs: Runs): MotionRun | null =>
  Object.values(runs)
    .filter(isLive)
    .reduce<MotionRun | null>(
      (first, run) => (first === null || run.expires_at < first.expires_at ? run : first),
      null,
    );

export const expireRun = (draft: RunDraft, run: MotionRun): MotionRun =>
  changeRunStatus(draft, 'system', { ...run, status: 'expired', ended_at: draft.now });

/** Expires all live runs because their subscriber is gone. */
export const expireAllRuns = (draft: RunDraft): void => {
  for (const run of Object.values(draft.state.runs).filter(isLive)) expireRun(draft, run);
};

const notLiveError = ({ status }: MotionRun): DomainError =>
  wrongStateError('run', { status, allowed: ['triggered', 'presented'] });
