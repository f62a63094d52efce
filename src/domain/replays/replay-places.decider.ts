import type { Decider, Fact } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import { type Instant, msBetween } from '../../kernel/time';

/** D-107: queued and in progress together, per tenant and environment. */
export const PLACES_MAX = 3;
/**
 * Nobody knows when a job ends. At three calls a minute, refused ones included (D-84), whoever asks
 * again this late finds a call left.
 */
const RETRY_AFTER_SECONDS = 20;
/** A place whose job does not exist yet may belong to a request that is just running. */
const PENDING_MS = 60_000;

interface Holder {
  readonly replay_id: string;
  readonly taken_at: Instant;
}

/** A storage format: add, never rename. */
export type PlacesFact = Fact<'replay_places.taken', { readonly holders: readonly Holder[] }>;

export interface Places {
  readonly holders: readonly Holder[];
}

/** Which jobs hold the places. Nobody gives one back: whoever needs one sees which jobs have ended. */
export const placesAggregate: Decider<Places, PlacesFact> = {
  initialState: () => ({ holders: [] }),
  evolve: (_, { data }) => data,
};

/** What became of the job that holds a place. */
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
