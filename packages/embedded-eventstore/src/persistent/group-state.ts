import type { GroupSettings } from './settings';

/**
 * The state of one group, and what goes into and comes out of its reducer (reducer.ts). Positions
 * are revisions for a group on a stream, log positions for a group on $all; the reducer does not
 * care. `Payload` is whatever the shell needs to send an event.
 */

/** An event that is to be delivered, or was delivered and is not acknowledged yet. */
export interface Delivery<Payload> {
  readonly id: string;
  /** Order within the group; counts skipped events too. 0 for a replayed parked event. */
  readonly sequence: number;
  /** The checkpoint to write while this event is the oldest one that is not settled. */
  readonly previous: number;
  readonly retryCount: number;
  /** For a replayed event: its revision in the parked stream. */
  readonly parkedRevision: number | undefined;
  /** A hash by which a pinned strategy chooses the consumer. */
  readonly pin: number;
  readonly payload: Payload;
}

export interface InFlight<Payload> {
  readonly delivery: Delivery<Payload>;
  readonly consumerId: number;
  readonly dueMs: number;
}

export interface Consumer {
  readonly id: number;
  /** Maximum number of events in flight to this consumer. */
  readonly slots: number;
  readonly inFlight: number;
}

export interface GroupState<Payload> {
  readonly settings: GroupSettings;
  /** In the order in which a round-robin asks them. */
  readonly consumers: readonly Consumer[];
  readonly inFlight: readonly InFlight<Payload>[];
  /** To be delivered again, before everything that waits; replayed parked events first. */
  readonly retries: readonly Delivery<Payload>[];
  /** Fetched and not delivered yet. */
  readonly waiting: readonly Delivery<Payload>[];
  /**
   * Events that are being written to the parked stream; they are settled once that is committed.
   */
  readonly parking: readonly Delivery<Payload>[];
  /** The last position that was fetched. */
  readonly cursor: number;
  /** The sequence of the last fetched event. */
  readonly sequence: number;
  readonly fetching: boolean;
  /** True once everything was fetched; from then on new events arrive without a fetch. */
  readonly live: boolean;
  readonly checkpoint: {
    readonly position: number | undefined;
    readonly sequence: number;
    readonly atMs: number;
  };
  /** The last revision of the parked stream that was replayed. */
  readonly replayedUpTo: number;
  /** Parked events before this revision were removed from the parked stream. */
  readonly forgottenBefore: number;
}

/** An event as it comes from storage. */
export interface Fetched<Payload> {
  readonly id: string;
  /** The place of the event among those that its page looked at, counted from 1. */
  readonly ordinal: number;
  readonly previous: number;
  readonly pin: number;
  readonly payload: Payload;
}

export interface FetchedPage<Payload> {
  readonly events: readonly Fetched<Payload>[];
  /** The page begins behind this position. */
  readonly after: number;
  /** The number of events that were looked at, including those that the filter dropped. */
  readonly considered: number;
  readonly cursor: number;
}

export type NackAction = 'retry' | 'park' | 'skip';

export type GroupMessage<Payload> =
  | { readonly kind: 'connected'; readonly consumerId: number; readonly slots: number }
  | { readonly kind: 'disconnected'; readonly consumerId: number }
  | { readonly kind: 'fetched'; readonly page: FetchedPage<Payload>; readonly atEnd: boolean }
  | { readonly kind: 'live'; readonly page: FetchedPage<Payload> }
  | { readonly kind: 'ack'; readonly ids: readonly string[] }
  | {
      readonly kind: 'nack';
      readonly ids: readonly string[];
      readonly action: NackAction;
      readonly reason: string;
    }
  | { readonly kind: 'tick' }
  | {
      readonly kind: 'replay';
      readonly events: readonly Replayed<Payload>[];
      /** The last parked revision that was looked at. */
      readonly upTo: number;
    }
  | { readonly kind: 'parked'; readonly delivery: Delivery<Payload> }
  | { readonly kind: 'park-failed'; readonly delivery: Delivery<Payload> };

export interface Replayed<Payload> {
  readonly id: string;
  readonly parkedRevision: number;
  readonly pin: number;
  readonly payload: Payload;
}

export type GroupEffect<Payload> =
  | {
      readonly kind: 'push';
      readonly consumerId: number;
      readonly delivery: Delivery<Payload>;
    }
  | { readonly kind: 'fetch'; readonly after: number; readonly eventsMax: number }
  | { readonly kind: 'checkpoint'; readonly position: number }
  | { readonly kind: 'park'; readonly delivery: Delivery<Payload>; readonly reason: string }
  | { readonly kind: 'forget-parked'; readonly before: number };

export interface Step<Payload> {
  readonly state: GroupState<Payload>;
  readonly effects: readonly GroupEffect<Payload>[];
}

export const createGroupState = <Payload>(start: {
  readonly settings: GroupSettings;
  /** Resume after this position. */
  readonly after: number;
  readonly checkpoint: number | undefined;
  readonly nowMs: number;
}): GroupState<Payload> => ({
  settings: start.settings,
  consumers: [],
  inFlight: [],
  retries: [],
  waiting: [],
  parking: [],
  cursor: start.after,
  sequence: 0,
  fetching: false,
  live: false,
  checkpoint: { position: start.checkpoint, sequence: 0, atMs: start.nowMs },
  replayedUpTo: -1,
  forgottenBefore: 0,
});
