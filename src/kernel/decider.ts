import type { Instant } from './time';

/**
 * A fact as a decision states it. `type` and `data` are the catalogue's (a storage format).
 * `subscriptionId` names the subscription the fact is about, where there is one; `at` is given only
 * where the fact happened at another instant than the command (imports, late timers).
 */
export interface Fact<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
  readonly subscriptionId?: string;
  readonly at?: Instant;
}

/** A fact with its instant, as it is folded. */
export type Dated<F extends Fact> = F & { readonly at: Instant };

/**
 * An aggregate: how its state begins and how each fact changes it. Pure; clock, ids and randomness
 * reach a decision as arguments. (Emmett's decider, with one curried function per intention.)
 */
export interface Decider<State, F extends Fact> {
  readonly initialState: () => State;
  readonly evolve: (state: State, fact: Dated<F>) => State;
}

export const fold = <State, F extends Fact>(
  decider: Decider<State, F>,
  state: State,
  facts: readonly Dated<F>[],
): State => facts.reduce(decider.evolve, state);

/** Makes a `switch` over a union exhaustive: a new member fails to compile here. */
export const unreachable = (value: never): never => {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
};

/** The facts of a catalogue: `{ 'ticket.submitted': Type.Object(…) }` → its union of facts. */
export type FactOf<Catalogue extends Record<string, { static: unknown }>> = {
  [Type in keyof Catalogue & string]: Fact<Type, Catalogue[Type]['static']>;
}[keyof Catalogue & string];
