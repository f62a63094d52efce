import { noon, scenario } from '../../../test/support/given';
import { plusMs } from '../../kernel/time';
import {
  type PlaceHolderState,
  type ReplayPlacesFact,
  replayPlacesAggregate,
  reserveReplayPlace,
} from './replay-places.decider';

const { given } = scenario(replayPlacesAggregate);

const taken = (...ids: string[]): ReplayPlacesFact => ({
  type: 'replay_places.taken',
  data: { holders: ids.map((replay_id) => ({ replay_id, taken_at: noon })) },
});

const taking = (replayId: string, states: Record<string, PlaceHolderState> = {}, now = noon) =>
  reserveReplayPlace({ replayId, now, getState: (id) => states[id] ?? 'unfinished' });

describe('the replay places of an environment', () => {
  it('are limited to three', () => {
    given()
      .when(taking('a'))
      .then([taken('a')]);
    given(taken('a', 'b'))
      .when(taking('c'))
      .then([taken('a', 'b', 'c')]);
    given(taken('a', 'b', 'c'))
      .when(taking('d'))
      .thenRefused('too_many_concurrent_replays');
  });

  it('are taken only once by the same job', () => {
    given(taken('a', 'b', 'c'))
      .when(taking('b'))
      .then([]);
  });

  it('of jobs that have ended are free', () => {
    given(taken('a', 'b', 'c'))
      .when(taking('d', { b: 'ended' }))
      .then([taken('a', 'c', 'd')]);
  });

  it('are kept for a minute for a job that does not exist yet', () => {
    const states = { a: 'absent', b: 'unfinished', c: 'unfinished' } as const;
    const early = plusMs(noon, 59_000);
    given(taken('a', 'b', 'c'))
      .when(taking('d', states, early))
      .thenRefused('too_many_concurrent_replays');
    const late = plusMs(noon, 60_000);
    given(taken('a', 'b', 'c'))
      .when(taking('d', states, late))
      .thenLike([
        { data: { holders: [{ replay_id: 'b' }, { replay_id: 'c' }, { replay_id: 'd' }] } },
      ]);
  });
});
