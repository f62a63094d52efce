import type { Dated, Decider, Fact } from './decider';
import type { Instant } from './time';

/**
 * A decision in the making: what it has stated so far is already folded into the state, so that the
 * next step decides on it. Steps take the slices and facts they need of a subscriber's draft.
 */
export interface Draft<State, F extends Fact> {
  readonly state: State;
  readonly now: Instant;
  add(...facts: F[]): void;
}

/** The draft a command begins with; `facts` is what it comes to. */
export class Drafting<State, F extends Fact> implements Draft<State, F> {
  readonly facts: Dated<F>[] = [];

  constructor(
    private readonly decider: Decider<State, F>,
    public state: State,
    public now: Instant,
  ) {}

  add(...facts: F[]): void {
    for (const fact of facts) {
      const dated: Dated<F> = { ...fact, at: fact.at ?? this.now };
      this.state = this.decider.evolve(this.state, dated);
      this.facts.push(dated);
    }
  }

  /** Time goes on within one command where a test clock drives it. */
  moveTo(now: Instant): void {
    this.now = now;
  }
}
