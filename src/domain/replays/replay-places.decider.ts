import type { Decider, Fact } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import { type Instant, msBetween } from '../../kernel/time';

/** The maximum of queued and running replays together, per tenant and environment (D-107). */
export const REPLAYS_MAX = 3;
/**
 * The end of a replay cannot be predicted. The limit is three calls a minute, refused ones included
 * (D-84), so a client that waits this long still has a call left.
 */
const RETRY_AFTER_SECONDS = 20;
/**
 * Time for which a place is reserved for a replay that does not exist yet, because the request that
 * creates it may still be running.
 */
const PENDING_MS = 60_000;

interface PlaceHolder {
  readonly replay_id: string;
  readonly taken_at: Instant;
}

/** The type strings and field names are a storage format: add, never rename. */
export type ReplayPlacesFact = Fact<
  'replay_places.taken',
  { readonly holders: readonly PlaceHolder[] }
>;

export interface ReplayPlaces {
  readonly holders: readonly PlaceHolder[];
}

/**
 * The replays that hold the places. A place becomes free when another request finds its replay
 * ended.
 */
export const replayPlacesAggregate: Decider<ReplayPlaces, ReplayPlacesFact> = {
  initialState: () => ({ holders: [] }),
  evolve: (_, { data }) => data,
};

/** The state of the replay that holds a place. */
export type PlaceHolderState = 'absent' | 'unfinished' | 'ended';

interface PlaceRequest {
  readonly replayId: string;
  readonly now: Instant;
  readonly getState: (replayId: string) => PlaceHolderState;
}

export const reserveReplayPlace =
  ({ replayId, now, getState }: PlaceRequest) =>
  ({ holders }: ReplayPlaces): ReplayPlacesFact[] => {
    if (holders.some(({ replay_id }) => replay_id === replayId)) return [];
    const kept = holders.filter(({ replay_id, taken_at }) => {
      const state = getState(replay_id);
      return state === 'absent' ? msBetween(taken_at, now) < PENDING_MS : state === 'unfinished';
    });
    if (kept.length >= REPLAYS_MAX) throw tooManyReplaysError();
    const taken = [...kept, { replay_id: replayId, taken_at: now }];
    return [{ type: 'replay_places.taken', data: { holders: taken } }];
  };

const tooManyReplaysError = (): DomainError =>
  new DomainError(
    'too_many_concurrent_replays',
    `${REPLAYS_MAX} replays are queued or in progress. Wait for one to end, or cancel it.`,
    {
      details: {
        max_concurrent_replays: REPLAYS_MAX,
        reason: 'key-concurrency',
        retry_after_seconds: RETRY_AFTER_SECONDS,
      },
    },
  );
