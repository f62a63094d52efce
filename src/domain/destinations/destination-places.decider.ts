import type { Decider, Fact } from '../../kernel/decider';
import { DomainError } from '../../kernel/errors';
import { type Instant, msBetween } from '../../kernel/time';
import type { Destination } from './destination.decider';

/**
 * Time for which a place is reserved for a destination that does not exist yet, because the request
 * that creates it may still be running.
 */
const PENDING_MS = 60_000;

interface PlaceHolder {
  readonly destination_id: string;
  readonly taken_at: Instant;
}

/** The type strings and field names are a storage format: add, never rename. */
export type DestinationPlacesFact = Fact<
  'destination_places.taken',
  { readonly recent: readonly PlaceHolder[] }
>;

export interface DestinationPlaces {
  readonly recent: readonly PlaceHolder[];
}

/**
 * The places taken within the last minute. Older ones need no record: by then every process knows
 * the destination, or the request that was to create it has ended without it.
 */
export const destinationPlacesAggregate: Decider<DestinationPlaces, DestinationPlacesFact> = {
  initialState: () => ({ recent: [] }),
  evolve: (_, { data }) => data,
};

interface PlaceRequest {
  readonly destinationId: string;
  readonly now: Instant;
  readonly max: number;
  /** The other destinations that are stored and hold a place. */
  readonly storedHolders: ReadonlySet<string>;
  /** Returns the state of a destination that is not in `storedHolders`. */
  readonly getState: (destinationId: string) => Destination;
}

/** Takes a place for a destination to be registered or restored, unless it already has one. */
export const reservePlace =
  ({ destinationId, now, max, storedHolders, getState }: PlaceRequest) =>
  ({ recent }: DestinationPlaces): DestinationPlacesFact[] => {
    if (holdsPlace(getState(destinationId))) return [];
    const pending = recent.filter(
      (taker) =>
        taker.destination_id !== destinationId &&
        msBetween(taker.taken_at, now) < PENDING_MS &&
        mayHoldPlace(taker, getState(taker.destination_id)),
    );
    const taken = new Set([
      ...storedHolders,
      ...pending.map(({ destination_id }) => destination_id),
    ]);
    if (taken.size >= max) throw limitReachedError(max);
    const taker = { destination_id: destinationId, taken_at: now };
    return [{ type: 'destination_places.taken', data: { recent: [...pending, taker] } }];
  };

/** True if the destination counts towards the limit. Soft-deleted ones do not count. */
export const holdsPlace = (destination: Destination): boolean =>
  destination.lifecycle === 'known' && destination.deleted === null;

/** True if the destination is registered, or the request that took the place may still do so. */
const mayHoldPlace = ({ taken_at }: PlaceHolder, destination: Destination): boolean => {
  if (destination.lifecycle !== 'known') return destination.lifecycle === 'absent';
  return destination.deleted === null || msBetween(destination.deleted.at, taken_at) > 0;
};

const limitReachedError = (max: number): DomainError =>
  new DomainError('destination_limit_reached', `At most ${max} destinations are allowed.`, {
    details: { max_destinations: max },
  });
