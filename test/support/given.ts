import { type Decider, type Fact, fold } from '../../src/kernel/decider';
import { DomainError } from '../../src/kernel/errors';
import type { Instant } from '../../src/kernel/time';

/** The current time of tests that do not depend on it. */
export const noon = '2026-03-10T12:00:00.000Z' as Instant;

/**
 * Given / when / then, the only form of a decider test. Facts without an instant happen at noon.
 */
export const scenario = <State, F extends Fact>(decider: Decider<State, F>) => ({
  given: (...facts: readonly F[]) => {
    const dated = facts.map((fact) => ({ ...fact, at: fact.at ?? noon }));
    const state = fold(decider, decider.initialState(), dated);
    return {
      state,
      when: (decide: (state: State) => readonly F[]) => ({
        then: (expected: readonly unknown[]) => {
          expect(decide(state)).toEqual(expected);
        },
        /** Like `then`, but only the named fields of each fact are compared. */
        thenLike: (expected: readonly object[]) => {
          expect(decide(state)).toMatchObject(expected);
        },
        thenRefused: (code: string) => {
          expect(catchRefusal(() => decide(state))).toBe(code);
        },
      }),
    };
  },
});

const catchRefusal = (work: () => unknown): string => {
  try {
    return `no refusal: ${JSON.stringify(work())}`;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};
