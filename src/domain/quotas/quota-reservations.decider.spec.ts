import { noon, scenario } from '../../../test/support/given';
import { DomainError } from '../../kernel/errors';
import { plusMs } from '../../kernel/time';
import {
  type QuotaFact,
  quotaReservationsAggregate,
  type ReservedObject,
  reserveQuota,
} from './quota-reservations.decider';

const { given } = scenario(quotaReservationsAggregate);

const reserved = (...ids: string[]): QuotaFact => ({
  type: 'quota.reserved',
  data: { recent: ids.map((id) => ({ id, amount: 1, reserved_at: noon })) },
});

interface Situation {
  readonly amount?: number;
  readonly used?: number;
  readonly counted?: readonly string[];
  readonly objects?: Readonly<Record<string, ReservedObject>>;
  readonly afterMs?: number;
}

/** Reserves a part of a quota of two. */
const reserving = (
  id: string,
  { amount = 1, used = 0, counted = [], objects = {}, afterMs = 0 }: Situation = {},
) =>
  reserveQuota({
    id,
    amount,
    now: plusMs(noon, afterMs),
    max: 2,
    used,
    counted: new Set(counted),
    getObject: (each) => objects[each] ?? 'absent',
    createError: () => new DomainError('quota_exceeded', 'At most 2 are allowed.'),
  });

describe('the reservations of a quota', () => {
  it('limit counted objects and reservations together', () => {
    given()
      .when(reserving('a', { used: 1 }))
      .then([reserved('a')]);
    given(reserved('a'))
      .when(reserving('b'))
      .then([reserved('a', 'b')]);
    given(reserved('a'))
      .when(reserving('b', { used: 1 }))
      .thenRefused('quota_exceeded');
    given()
      .when(reserving('a', { used: 2 }))
      .thenRefused('quota_exceeded');
  });

  it('limit the sum of the amounts', () => {
    given(reserved('a'))
      .when(reserving('b', { amount: 2 }))
      .thenRefused('quota_exceeded');
    given()
      .when(reserving('b', { amount: 2 }))
      .thenLike([{ data: { recent: [{ id: 'b', amount: 2 }] } }]);
  });

  it('count an object once that has been counted since', () => {
    given(reserved('a'))
      .when(reserving('b', { used: 1, counted: ['a'] }))
      .then([reserved('b')]);
  });

  it('hold for a minute while their object is not stored, and then are free', () => {
    given(reserved('a'))
      .when(reserving('b', { used: 1, afterMs: 59_999 }))
      .thenRefused('quota_exceeded');
    given(reserved('a'))
      .when(reserving('b', { used: 1, afterMs: 60_000 }))
      .thenLike([{ data: { recent: [{ id: 'b' }] } }]);
  });

  it('hold as long as the count does not contain their stored object', () => {
    given(reserved('a'))
      .when(reserving('b', { used: 1, objects: { a: 'stored' }, afterMs: 3_600_000 }))
      .thenRefused('quota_exceeded');
  });

  it('are free once their object is gone', () => {
    given(reserved('a'))
      .when(reserving('b', { used: 1, objects: { a: 'gone' } }))
      .then([reserved('b')]);
  });

  it('are not made twice by a request that is repeated after an interruption', () => {
    given(reserved('a'))
      .when(reserving('a', { used: 1 }))
      .then([reserved('a')]);
  });
});
