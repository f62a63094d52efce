import { type Decider, unreachable } from '../../kernel/decider';
import { DomainError, notFound } from '../../kernel/errors';
import { type Instant, plusDays } from '../../kernel/time';
import { wrongStateError } from '../../kernel/wrong-state';
import type { ClockFact } from './clock.events';

const KEPT_DAYS = 7;
/** Limits of the clock. The longest period must end within years of four digits. */
const FIRST_TIME = '1970-01-01T00:00:00.000Z' as Instant;
const TIME_LIMIT = '9000-01-01T00:00:00.000Z' as Instant;
/** The longest single advance of a clock without subscriptions, in days (D-111). */
export const UNUSED_ADVANCE_DAYS = 2 * 365;

/** A test clock: the time of its subscribers (D-111). */
export type TestClock =
  | { readonly status: 'absent' }
  | {
      readonly status: 'ready' | 'advancing' | 'internal_failure' | 'deleted';
      readonly id: string;
      readonly scope: string;
      readonly name: string | null;
      readonly frozenTime: Instant;
      /** The target time while the clock advances. */
      readonly target: Instant | null;
      readonly deletesAfter: Instant;
      readonly createdAt: Instant;
    };

export type KnownClock = Exclude<TestClock, { status: 'absent' }>;

export const clockAggregate: Decider<TestClock, ClockFact> = {
  initialState: () => ({ status: 'absent' }),
  evolve: (clock, fact) => {
    if (fact.type === 'clock.created') {
      const { id, scope, name, frozen_time: frozenTime, deletes_after: deletesAfter } = fact.data;
      const times = { frozenTime, target: null, deletesAfter, createdAt: fact.at };
      return { status: 'ready', id, scope, name, ...times };
    }
    if (clock.status === 'absent') return clock;
    switch (fact.type) {
      case 'clock.advance_started':
        return { ...clock, status: 'advancing', target: fact.data.target };
      case 'clock.advanced':
        return { ...clock, status: 'ready', frozenTime: fact.data.frozen_time, target: null };
      case 'clock.advance_failed':
        return { ...clock, status: 'internal_failure' };
      case 'clock.deleted':
        return { ...clock, status: 'deleted', target: null };
      default:
        return unreachable(fact);
    }
  },
};

/** Returns the time of a clock's subscribers. During an advance, commands run at its target. */
export const getTime = ({ frozenTime, target }: KnownClock): Instant => target ?? frozenTime;

/** Returns the clock if it is in the scope and not deleted, or throws. */
export const requireClock = (clock: TestClock, scope: string, param: string): KnownClock => {
  if (clock.status !== 'absent' && clock.status !== 'deleted' && clock.scope === scope)
    return clock;
  throw notFound('test_clock', param);
};

export interface ClockDraft {
  readonly id: string;
  readonly scope: string;
  readonly name: string | null;
  readonly frozenTime: Instant;
}

export const createClock =
  ({ id, scope, name, frozenTime }: ClockDraft, now: Instant) =>
  (clock: TestClock): ClockFact[] => {
    if (clock.status !== 'absent') return [];
    requireUsableClock(frozenTime);
    const deletes_after = plusDays(now, KEPT_DAYS);
    return [
      {
        type: 'clock.created',
        data: { id, scope, name, frozen_time: frozenTime, deletes_after },
      },
    ];
  };

const requireUsableClock = (time: Instant): void => {
  if (time >= FIRST_TIME && time < TIME_LIMIT) return;
  throw invalidTimeError('frozen_time must be in the years 1970 to 8999.');
};

export interface Advance {
  readonly scope: string;
  readonly target: Instant;
  /** The latest allowed target: two intervals of the shortest subscription from now. */
  readonly latest: Instant;
}

/** Starts an advance. It must go forward, and not so far that a billing period is skipped. */
export const startAdvance =
  ({ scope, target, latest }: Advance) =>
  (found: TestClock): ClockFact[] => {
    const clock = requireClock(found, scope, 'clockId');
    if (clock.status === 'advancing') {
      if (clock.target === target) return [];
      throw wrongStateError('clock', {
        status: clock.status,
        allowed: ['ready', 'internal_failure'],
      });
    }
    requireUsableClock(target);
    if (target <= clock.frozenTime)
      throw invalidTimeError('frozen_time must be later than the clock is.');
    if (target > latest) {
      throw invalidTimeError(
        `The clock can go at most to ${latest}: two intervals of its shortest plan.`,
      );
    }
    return [{ type: 'clock.advance_started', data: { id: clock.id, scope, target } }];
  };

const invalidTimeError = (message: string): DomainError =>
  new DomainError('parameter_invalid', message, { param: 'frozen_time' });

/** Ends the advance. All timers up to the target have fired. */
export const completeAdvance =
  (target: Instant | null) =>
  (clock: TestClock): ClockFact[] =>
    clock.status === 'advancing' && clock.target !== null && clock.target === target
      ? [
          {
            type: 'clock.advanced',
            data: { id: clock.id, scope: clock.scope, frozen_time: target },
          },
        ]
      : [];

export const failAdvance =
  (target: Instant | null) =>
  (clock: TestClock): ClockFact[] =>
    clock.status === 'advancing' && clock.target === target
      ? [{ type: 'clock.advance_failed', data: { id: clock.id, scope: clock.scope } }]
      : [];

export const deleteClock =
  (scope: string) =>
  (clock: TestClock): ClockFact[] => {
    const { id } = requireClock(clock, scope, 'clockId');
    return [{ type: 'clock.deleted', data: { id, scope } }];
  };
