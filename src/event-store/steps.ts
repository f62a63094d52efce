import type { Dated, Decider, Fact } from '../kernel/decider';
import { DomainError } from '../kernel/errors';
import type { Instant } from '../kernel/time';

/** One of several commands that share an append. It decides on the state after the earlier ones. */
export interface CommandStep<State, F extends Fact> {
  readonly commandId: string;
  /** Returns the id that an earlier version of the service gave to the command. */
  readonly formerCommandId?: () => string;
  readonly decide: (state: State) => readonly F[];
}

/**
 * The outcome of a step. It is `repeated` if an earlier run of the same command stored its facts.
 */
export type StepOutcome = 'done' | 'repeated' | 'nothing' | DomainError;

/** A fact of a command; `index` is its position among the facts of that command. */
export interface DatedFact<F extends Fact> {
  readonly commandId: string;
  readonly fact: Dated<F>;
  readonly index: number;
}

export interface StepPlan<F extends Fact> {
  readonly datedFacts: readonly DatedFact<F>[];
  readonly outcomes: readonly StepOutcome[];
}

interface StepPlanInput<State, F extends Fact> {
  readonly decider: Decider<State, F>;
  readonly state: State;
  readonly now: Instant;
}

export const addDates = <F extends Fact>(
  commandId: string,
  facts: readonly F[],
  now: Instant,
): DatedFact<F>[] =>
  facts.map((fact, index) => ({ commandId, fact: { ...fact, at: fact.at ?? now }, index }));

/** Decides all steps. A step that is refused, or has nothing to do, does not stop the others. */
export const planSteps = <State, F extends Fact>(
  { decider, state: before, now }: StepPlanInput<State, F>,
  steps: readonly CommandStep<State, F>[],
): StepPlan<F> => {
  let state = before;
  const all: DatedFact<F>[] = [];
  const outcomes = steps.map(({ commandId, decide }): StepOutcome => {
    try {
      const stated = addDates(commandId, decide(state), now);
      for (const { fact } of stated) state = decider.evolve(state, fact);
      all.push(...stated);
      return stated.length > 0 ? 'done' : 'nothing';
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  });
  return { datedFacts: all, outcomes };
};

/** True if every command produced events, so a stale cached state cannot matter. */
export const allProducedEvents = ({ outcomes }: StepPlan<Fact>): boolean =>
  outcomes.every((outcome) => outcome === 'done');

/** Marks steps without facts as repeated if their command is already stored. */
export const markRepeats = (
  steps: readonly Pick<CommandStep<never, Fact>, 'commandId' | 'formerCommandId'>[],
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
