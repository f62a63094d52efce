import type { KnownMotion } from '../../src/domain/motions/motion.decider';
import type { MotionTerms } from '../../src/domain/motions/motion.events';
import type { TriggerInput } from '../../src/domain/motions/run.decider';
import type { Instant } from '../../src/kernel/time';
import { subscriberId } from './story';

export const terms: MotionTerms = {
  name: 'Save',
  description: null,
  kind: 'cancel_save',
  cohort_ids: [],
  offer: { type: 'pause', days: 30 },
  trigger_mode: 'manual',
  limits: { max_triggers_per_subscriber: null, cooldown_days: 30, max_redemptions: 1 },
  offer_valid_hours: 72,
  attribution_days: 30,
  holdout_percent: 0,
};

export const buildMotion = (change: Partial<MotionTerms> = {}): KnownMotion => ({
  status: 'active',
  id: 'mot_1',
  scope: { tenantId: 'tnt_1', environment: 'test' },
  terms: { ...terms, ...change },
  createdAt: '2026-01-01T00:00:00.000Z' as Instant,
  updatedAt: '2026-01-01T00:00:00.000Z' as Instant,
});

/** Builds a request to trigger the motion for the story's subscriber. */
export const buildTrigger = (runId: string, change: Partial<TriggerInput> = {}): TriggerInput => ({
  motion: buildMotion(),
  subscriberId,
  runId,
  offer: terms.offer,
  offerOverridden: false,
  cohortId: null,
  applicable: true,
  heldOut: false,
  actor: 'api',
  ...change,
});

export const createRunRequest = (runId: string) => ({ runId, actor: 'api' as const, reason: null });
