import { type Dated, type Decider, unreachable } from '../../kernel/decider';
import { notFound } from '../../kernel/errors';
import type { Scope } from '../../kernel/scope';
import type { Instant } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import type { MotionFact, MotionStatus, MotionTerms } from './motion.events';

export interface KnownMotion {
  readonly status: MotionStatus;
  readonly id: string;
  readonly scope: Scope;
  readonly terms: MotionTerms;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export type Motion = { readonly status: 'absent' } | { readonly status: 'deleted' } | KnownMotion;

export const isKnown = (motion: Motion): motion is KnownMotion =>
  motion.status !== 'absent' && motion.status !== 'deleted';

export const motionAggregate: Decider<Motion, MotionFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (motion, fact) => {
    if (fact.type === 'motion.created') return applyCreated(fact);
    if (!isKnown(motion)) return motion;
    switch (fact.type) {
      case 'motion.updated':
        return { ...motion, terms: fact.data.terms, updatedAt: fact.at };
      case 'motion.status_changed':
        return { ...motion, status: fact.data.status, updatedAt: fact.at };
      case 'motion.deleted':
        return { status: 'deleted' };
      default:
        return unreachable(fact);
    }
  },
};

const applyCreated = ({
  data,
  at,
}: Dated<Extract<MotionFact, { type: 'motion.created' }>>): KnownMotion => ({
  status: 'draft',
  id: data.id,
  scope: { tenantId: data.tenant_id, environment: data.environment },
  terms: data.terms,
  createdAt: at,
  updatedAt: at,
});

/** Returns the motion of this tenant and environment, or throws `resource_not_found`. */
export const requireMotion = (motion: Motion | undefined, scope: Scope): KnownMotion => {
  const mine =
    motion !== undefined &&
    isKnown(motion) &&
    motion.scope.tenantId === scope.tenantId &&
    motion.scope.environment === scope.environment;
  if (!mine) throw notFound('motion', 'motionId');
  return motion;
};

export interface MotionDraft {
  readonly id: string;
  readonly scope: Scope;
  readonly terms: MotionTerms;
}

export const createMotion =
  ({ id, scope, terms }: MotionDraft) =>
  (motion: Motion): MotionFact[] => {
    if (motion.status !== 'absent') return [];
    const { tenantId: tenant_id, environment } = scope;
    return [{ type: 'motion.created', data: { id, tenant_id, environment, terms } }];
  };

/** Changes a motion. Live runs keep the offer with which they were triggered. */
export const changeMotion =
  (scope: Scope, change: Partial<MotionTerms>) =>
  (motion: Motion): MotionFact[] => {
    const { status, terms } = requireMotion(motion, scope);
    if (status === 'archived')
      throw wrongStateError('motion', { status, allowed: ['draft', 'active', 'paused'] });
    const next = { ...terms, ...change };
    return JSON.stringify(next) === JSON.stringify(terms)
      ? []
      : [{ type: 'motion.updated', data: { terms: next } }];
  };

/** The source states and the target state of each command (D-30). */
const TRANSITIONS = {
  activate: { from: ['draft', 'paused'], to: 'active' },
  pause: { from: ['active'], to: 'paused' },
  archive: { from: ['draft', 'active', 'paused'], to: 'archived' },
} as const satisfies Record<string, { from: readonly MotionStatus[]; to: MotionStatus }>;
export type MotionCommand = keyof typeof TRANSITIONS;

export const changeMotionStatus =
  (scope: Scope, command: MotionCommand) =>
  (motion: Motion): MotionFact[] => {
    const { status } = requireMotion(motion, scope);
    const { from, to } = TRANSITIONS[command];
    if (status === to) return [];
    if (!from.some((each) => each === status))
      throw wrongStateError('motion', { status, allowed: from });
    return [{ type: 'motion.status_changed', data: { status: to } }];
  };

/** Deletes a motion that was never active, because it has no runs that refer to it. */
export const deleteMotion =
  (scope: Scope, now: Instant) =>
  (motion: Motion): MotionFact[] => {
    const { status } = requireMotion(motion, scope);
    if (status !== 'draft') throw wrongStateError('motion', { status, allowed: ['draft'] });
    return [{ type: 'motion.deleted', data: { deleted_at: now } }];
  };
