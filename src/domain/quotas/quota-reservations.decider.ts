import type { Decider, Fact } from '../../kernel/decider';
import type { DomainError } from '../../kernel/errors';
import { type Instant, msBetween } from '../../kernel/time';

/**
 * Time for which a reservation holds without its object, because the request that stores the object
 * may still be running.
 */
const PENDING_MS = 60_000;

interface Reservation {
  readonly id: string;
  /** The part of the quota that the object uses: 1 for an object, the number of lines of an import. */
  readonly amount: number;
  readonly reserved_at: Instant;
}

/** The type strings and field names are a storage format: add, never rename. */
export type QuotaFact = Fact<'quota.reserved', { readonly recent: readonly Reservation[] }>;

export interface QuotaReservations {
  /** The reservations whose objects were not counted yet when the last one was made. */
  readonly recent: readonly Reservation[];
}

export const quotaReservationsAggregate: Decider<QuotaReservations, QuotaFact> = {
  initialState: () => ({ recent: [] }),
  evolve: (_, { data }) => data,
};

/** `absent`: not stored yet. `gone`: removed, or its request has failed. */
export type ReservedObject = 'absent' | 'stored' | 'gone';

interface ReservationRequest {
  readonly id: string;
  readonly amount: number;
  readonly now: Instant;
  readonly max: number;
  /** What the counted objects use, without the object of this request. */
  readonly used: number;
  /** The ids of recent reservations whose objects are known to the count. */
  readonly counted: ReadonlySet<string>;
  /** Returns the state of the object of a reservation that is not in `counted`. */
  readonly getObject: (id: string) => ReservedObject;
  readonly createError: () => DomainError;
}

/**
 * Reserves a part of a quota for an object that is about to be stored. The count may not contain an
 * object yet that was stored a moment ago, so the recent reservations are added to it.
 */
export const reserveQuota =
  ({ id, amount, now, max, used, counted, getObject, createError }: ReservationRequest) =>
  ({ recent }: QuotaReservations): QuotaFact[] => {
    const kept = recent.filter((each) => {
      if (each.id === id || counted.has(each.id)) return false;
      const object = getObject(each.id);
      return object === 'absent'
        ? msBetween(each.reserved_at, now) < PENDING_MS
        : object === 'stored';
    });
    const reserved = kept.reduce((sum, each) => sum + each.amount, 0);
    if (used + reserved + amount > max) throw createError();
    return [
      { type: 'quota.reserved', data: { recent: [...kept, { id, amount, reserved_at: now }] } },
    ];
  };
