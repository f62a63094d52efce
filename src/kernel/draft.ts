import type { Dated, Decider, Fact } from './decider';
import type { Instant } from './time';

/**
 * A decision that is being made. The facts so far are already folded into the state, so the next
 * step decides on the result. Each step declares the parts of the state and the facts that it
 * needs.
 */
export interface Draft<State, F extends Fact> {
  readonly state: State;
  readonly now: Instant;
  add(...facts: F[]): void;
}

/** The draft of a command; `facts` collects its result. */
export class CommandDraft<State, F extends Fact> implements Draft<State, F> {
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

  /** Advances the time within one command, for a test clock. */
  moveTo(now: Instant): void {
    this.now = now;
  }
}
