import type { Dated, Decider, Fact } from './decider';
import type { JsonObject } from './json';

/** The subscriber right after the event. `email` is sealed, so it is absent from stored data. */
export interface SubscriberState extends JsonObject {
  readonly id: string;
  readonly created_at: string;
}

/** The subscription right after the event, as the public resource. */
export interface SubscriptionState extends JsonObject {
  readonly id: string;
  readonly status: string;
}

/** The state that an event's envelope shows: the subscriber and its subscription right after the fact. */
export interface EnvelopeState {
  /** The subscriber without its id, which is in the stream's name. */
  readonly subscriber: Omit<SubscriberState, 'id'>;
  readonly email: string | null;
  readonly subscription: SubscriptionState | null;
}

/** A decider whose facts are stored in one stream. */
export interface Aggregate<State, F extends Fact> extends Decider<State, F> {
  /**
   * Computes the state that an event carries. It is present for facts that are delivered to
   * destinations.
   */
  readonly envelope?: (state: State, fact: Dated<F>) => EnvelopeState;
  /**
   * Returns the id of the test clock that gives the aggregate its time; null if real time counts.
   */
  readonly testClock?: (state: State) => string | null;
}
