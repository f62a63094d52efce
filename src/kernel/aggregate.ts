import type { Dated, Decider, Fact } from './decider';
import type { JsonObject } from './json';

/** The subscriber as it was right after the event; `email` is sealed, so it is absent when stored. */
export interface SubscriberState extends JsonObject {
  readonly id: string;
  readonly created_at: string;
}

/** The subscription as it was right after the event: the public resource. */
export interface SubscriptionState extends JsonObject {
  readonly id: string;
  readonly status: string;
}

/** The state that an event's envelope shows: the subscriber and its subscription right after the fact. */
export interface EnvelopeState {
  /** Without its id, which the stream has. */
  readonly subscriber: Omit<SubscriberState, 'id'>;
  readonly email: string | null;
  readonly subscription: SubscriptionState | null;
}

/** A decider whose facts are stored in one stream. */
export interface Aggregate<State, F extends Fact> extends Decider<State, F> {
  /** Present where the facts are delivered to destinations: they carry the state they led to. */
  readonly envelope?: (state: State, fact: Dated<F>) => EnvelopeState;
  /** The id of the test clock that gives the aggregate its time; null where real time counts. */
  readonly testClock?: (state: State) => string | null;
}
