import type { Instant } from './time';

/**
 * A fact that a decision states. `type` and `data` come from the catalogue and are a storage
 * format. `subscriptionId` names the subscription concerned, if any. `at` is given only if the fact
 * happened at another instant than the command (imports, late timers).
 */
export interface Fact<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
  readonly subscriptionId?: string;
  readonly at?: Instant;
}

/** A fact with its instant, as it is folded into a state. */
export type Dated<F extends Fact> = F & { readonly at: Instant };

/**
 * The pure core of an aggregate: its initial state, and how each fact changes the state. Clock, ids
 * and randomness reach a decision as arguments. (Emmett's decider, with one curried function per
 * intention.)
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

/** The union of the facts of a catalogue such as `{ 'ticket.submitted': Type.Object(…) }`. */
export type FactOf<Catalogue extends Record<string, { static: unknown }>> = {
  [Type in keyof Catalogue & string]: Fact<Type, Catalogue[Type]['static']>;
}[keyof Catalogue & string];

/** A text for each event of a catalogue. An event without a text fails to compile. */
export type EventTexts<Catalogue> = Readonly<Record<keyof Catalogue & string, string>>;
