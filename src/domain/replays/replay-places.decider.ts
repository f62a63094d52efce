import type { Decider, Fact } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import { type Instant, msBetween } from '../../kernel/time';

/** The maximum of queued and running replays together, per tenant and environment (D-107). */
export const PLACES_MAX = 3;
/**
 * The end of a replay cannot be predicted. The limit is three calls a minute, refused ones included
 * (D-84), so a client that waits this long still has a call left.
 */
const RETRY_AFTER_SECONDS = 20;
/** A place may belong to a running request for this long before its replay must exist. */
const PENDING_MS = 60_000;

interface Holder {
  readonly replay_id: string;
  readonly taken_at: Instant;
}

/** The type strings and field names are a storage format: add, never rename. */
export type PlacesFact = Fact<'replay_places.taken', { readonly holders: readonly Holder[] }>;

export interface Places {
  readonly holders: readonly Holder[];
}

/**
 * The replays that hold the places. A place becomes free when another request finds its replay
 * ended.
 */
export const placesAggregate: Decider<Places, PlacesFact> = {
  initialState: () => ({ holders: [] }),
  evolve: (_, { data }) => data,
};

/** The state of the replay that holds a place. */
export type HolderState = 'absent' | 'unfinished' | 'ended';

interface Taking {
  readonly replayId: string;
  readonly now: Instant;
  readonly stateOf: (replayId: string) => HolderState;
}

export const take =
  ({ replayId, now, stateOf }: Taking) =>
  ({ holders }: Places): PlacesFact[] => {
    if (holders.some(({ replay_id }) => replay_id === replayId)) return [];
    const kept = holders.filter(({ replay_id, taken_at }) => {
      const state = stateOf(replay_id);
      return state === 'absent' ? msBetween(taken_at, now) < PENDING_MS : state === 'unfinished';
    });
    if (kept.length >= PLACES_MAX) throw tooMany();
    const taken = [...kept, { replay_id: replayId, taken_at: now }];
    return [{ type: 'replay_places.taken', data: { holders: taken } }];
  };

const tooMany = (): DomainError =>
  new DomainError(
    'too_many_concurrent_replays',
    `${PLACES_MAX} replays are queued or in progress. Wait for one to end, or cancel it.`,
    {
      details: {
        max_concurrent_replays: PLACES_MAX,
        reason: 'key-concurrency',
        retry_after_seconds: RETRY_AFTER_SECONDS,
      },
    },
  );
