import type { Dated, Decider, Fact } from '../kernel/decider';
import { DomainError } from '../kernel/errors';
import type { Instant } from '../kernel/time';

/** One of several commands that share an append; it decides on what those before it led to. */
export interface Step<State, F extends Fact> {
  readonly commandId: string;
  /** What an earlier version of the service called the command. */
  readonly formerCommandId?: () => string;
  readonly decide: (state: State) => readonly F[];
}

/** What became of a step: `repeated` where an earlier run of the same command stored its facts. */
export type StepOutcome = 'done' | 'repeated' | 'nothing' | DomainError;

/** A fact as a command stated it, the `index`-th of its own. */
export interface Stated<F extends Fact> {
  readonly commandId: string;
  readonly fact: Dated<F>;
  readonly index: number;
}

export interface Plan<F extends Fact> {
  readonly stated: readonly Stated<F>[];
  readonly outcomes: readonly StepOutcome[];
}

interface Ground<State, F extends Fact> {
  readonly decider: Decider<State, F>;
  readonly state: State;
  readonly now: Instant;
}

export const statedBy = <F extends Fact>(
  commandId: string,
  facts: readonly F[],
  now: Instant,
): Stated<F>[] =>
  facts.map((fact, index) => ({ commandId, fact: { ...fact, at: fact.at ?? now }, index }));

/** Decides all steps; one that is refused, or has nothing to do, does not keep the others from it. */
export const planSteps = <State, F extends Fact>(
  { decider, state: before, now }: Ground<State, F>,
  steps: readonly Step<State, F>[],
): Plan<F> => {
  let state = before;
  const all: Stated<F>[] = [];
  const outcomes = steps.map(({ commandId, decide }): StepOutcome => {
    try {
      const stated = statedBy(commandId, decide(state), now);
      for (const { fact } of stated) state = decider.evolve(state, fact);
      all.push(...stated);
      return stated.length > 0 ? 'done' : 'nothing';
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  });
  return { stated: all, outcomes };
};

/** No step leaves a doubt that only the stream's current state could dispel. */
export const isCertain = ({ outcomes }: Plan<Fact>): boolean =>
  outcomes.every((outcome) => outcome === 'done');

/** Tells those that had nothing to do, since they are stored already, from the others. */
export const tellRepeats = (
  steps: readonly Pick<Step<never, Fact>, 'commandId' | 'formerCommandId'>[],
  outcomes: readonly StepOutcome[],
  storedEarlier: ReadonlySet<string>,
): StepOutcome[] => {
  const stored = new Set(storedEarlier);
  return steps.map(({ commandId, formerCommandId }, i) => {
    const outcome = outcomes[i] ?? 'nothing';
    if (outcome === 'done') stored.add(commandId);
    if (outcome !== 'nothing') return outcome;
    const known =
      stored.has(commandId) || (formerCommandId !== undefined && stored.has(formerCommandId()));
    return known ? 'repeated' : 'nothing';
  });
};
