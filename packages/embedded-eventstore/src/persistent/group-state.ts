import type { GroupSettings } from './settings';

/**
 * The state of one group, and the messages and effects of its reducer (reducer.ts). A position is a
 * revision for a group on a stream and a log position for a group on $all; the reducer treats both
 * alike. `Payload` is what `Group` needs to send an event.
 */

/** An event that is to be delivered, or was delivered and is not acknowledged yet. */
export interface Delivery<Payload> {
  readonly id: string;
  /**
   * The number of the event within the group, which also counts skipped events. It is 0 for a
   * replayed parked event.
   */
  readonly sequence: number;
  /** The checkpoint to write while this event is the oldest one without an outcome. */
  readonly previous: number;
  readonly retryCount: number;
  /** The revision in the parked stream; undefined if the event is not a replayed one. */
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
  /** The maximum number of events in flight to this consumer. */
  readonly slots: number;
  readonly inFlight: number;
}

export interface GroupState<Payload> {
  readonly settings: GroupSettings;
  /** The consumers in the order in which round-robin chooses them. */
  readonly consumers: readonly Consumer[];
  readonly inFlight: readonly InFlight<Payload>[];
  /** Events that are delivered again before all waiting ones. Replayed parked events come first. */
  readonly retries: readonly Delivery<Payload>[];
  /** Events that were fetched and not delivered yet. */
  readonly waiting: readonly Delivery<Payload>[];
  /**
   * Events that are being written to the parked stream. They have their outcome when the write is
   * committed.
   */
  readonly parking: readonly Delivery<Payload>[];
  /** The position of the last fetched event. */
  readonly cursor: number;
  /** The number (`sequence`) of the last fetched event. */
  readonly sequence: number;
  readonly fetching: boolean;
  /**
   * True once all stored events were fetched. From then on the hub passes new events to the group.
   */
  readonly live: boolean;
  readonly checkpoint: {
    readonly position: number | undefined;
    readonly sequence: number;
    readonly atMs: number;
  };
  /** The revision in the parked stream of the last replayed event. */
  readonly replayedUpTo: number;
  /** The revision in the parked stream before which events were removed. */
  readonly forgottenBefore: number;
}

/** An event as it was read from storage. */
export interface Fetched<Payload> {
  readonly id: string;
  /** The place of the event among those that its page considered, counted from 1. */
  readonly ordinal: number;
  readonly previous: number;
  readonly pin: number;
  readonly payload: Payload;
}

export interface FetchedPage<Payload> {
  readonly events: readonly Fetched<Payload>[];
  /** The position after which the page begins. */
  readonly after: number;
  /** The number of events that were considered, including those that the filter dropped. */
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
      /** The last revision of the parked stream that was considered. */
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
  /** The position after which to resume. */
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
