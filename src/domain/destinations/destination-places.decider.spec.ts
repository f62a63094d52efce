import { noon, scenario } from '../../../test/support/given';
import { type Instant, plusMs } from '../../kernel/time';
import {
  type DestinationPlacesFact,
  destinationPlacesAggregate,
  reservePlace,
} from './destination-places.decider';
import type { Destination, KnownDestination } from './destination.decider';

const { given } = scenario(destinationPlacesAggregate);

const taken = (...ids: string[]): DestinationPlacesFact => ({
  type: 'destination_places.taken',
  data: { recent: ids.map((destination_id) => ({ destination_id, taken_at: noon })) },
});

const known: Destination = { lifecycle: 'known', deleted: null } as KnownDestination;
const purged = { lifecycle: 'purged' } as Destination;
const deletedAt = (at: Instant): Destination => ({
  ...known,
  deleted: { at, recoverableUntil: at },
});

interface Situation {
  readonly stored?: readonly string[];
  readonly states?: Readonly<Record<string, Destination>>;
  readonly now?: Instant;
}

/** Takes a place where the tenant may have two. */
const taking = (destinationId: string, { stored = [], states = {}, now = noon }: Situation = {}) =>
  reservePlace({
    destinationId,
    now,
    max: 2,
    storedHolders: new Set(stored),
    getState: (id) => states[id] ?? { lifecycle: 'absent' },
  });

describe('the places of destinations', () => {
  it('are limited for stored destinations and pending ones together', () => {
    given()
      .when(taking('a', { stored: ['x'] }))
      .then([taken('a')]);
    given(taken('a'))
      .when(taking('b'))
      .then([taken('a', 'b')]);
    given(taken('a'))
      .when(taking('b', { stored: ['x'] }))
      .thenRefused('destination_limit_reached');
    given()
      .when(taking('a', { stored: ['x', 'y'] }))
      .thenRefused('destination_limit_reached');
  });

  it('count a stored destination once if it took its place just now', () => {
    given(taken('a'))
      .when(taking('b', { stored: ['a'] }))
      .then([taken('a', 'b')]);
  });

  it('are not taken again by a destination that has one, even after the limit was lowered', () => {
    given()
      .when(taking('a', { stored: ['x', 'y', 'z'], states: { a: known } }))
      .then([]);
  });

  it('are kept for a minute for a destination that does not exist yet', () => {
    const at = (ms: number) => ({ stored: ['x'], now: plusMs(noon, ms) });
    given(taken('a'))
      .when(taking('b', at(59_999)))
      .thenRefused('destination_limit_reached');
    given(taken('a'))
      .when(taking('b', at(60_000)))
      .thenLike([{ data: { recent: [{ destination_id: 'b' }] } }]);
    // The same request repeats after an interruption.
    given(taken('a'))
      .when(taking('a', at(0)))
      .then([taken('a')]);
  });

  it('are free once their destination is deleted, unless it is being restored', () => {
    const now = plusMs(noon, 2_000);
    const situation = (a: Destination) => ({ stored: ['x'], states: { a }, now });
    const free = [{ data: { recent: [{ destination_id: 'b' }] } }];
    given(taken('a'))
      .when(taking('b', situation(purged)))
      .thenLike(free);
    given(taken('a'))
      .when(taking('b', situation(deletedAt(plusMs(noon, 1_000)))))
      .thenLike(free);
    given(taken('a'))
      .when(taking('b', situation(deletedAt(plusMs(noon, -1_000)))))
      .thenRefused('destination_limit_reached');
    given(taken('a'))
      .when(taking('b', situation(known)))
      .thenRefused('destination_limit_reached');
  });
});
