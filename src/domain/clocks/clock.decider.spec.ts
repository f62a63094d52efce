import { noon, scenario } from '../../../test/support/given';
import { DomainError } from '../../kernel/errors';
import { plusDays } from '../../kernel/time';
import { clockAggregate, startAdvance, type TestClock } from './clock.decider';
import type { ClockFact } from './clock.events';

const id = 'clock_0000000000000000';
const scope = 'tnt_0000000000000000.test';
const target = plusDays(noon, 1);

const created: ClockFact = {
  type: 'clock.created',
  data: { id, scope, name: null, frozen_time: noon, deletes_after: plusDays(noon, 7) },
};
const started: ClockFact = { type: 'clock.advance_started', data: { id, scope, target } };
const failed: ClockFact = { type: 'clock.advance_failed', data: { id, scope } };
const arrived: ClockFact = { type: 'clock.advanced', data: { id, scope, frozen_time: target } };

/** A clock in every status that can be read. */
const CLOCKS: readonly (readonly ClockFact[])[] = [
  [created],
  [created, started],
  [created, started, failed],
  [created, started, arrived],
];

const { given } = scenario(clockAggregate);

describe('the advance of a test clock', () => {
  const further = startAdvance({ scope, target: plusDays(noon, 2), latest: plusDays(noon, 9) });

  const refusalOf = (clock: TestClock): DomainError | null => {
    try {
      further(clock);
      return null;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  };

  it('is refused with the statuses in which it would be accepted', () => {
    const tried = CLOCKS.map((facts) => given(...facts).state).map((clock) => ({
      status: clock.status,
      refusal: refusalOf(clock),
    }));
    const taken = tried.filter(({ refusal }) => refusal === null).map(({ status }) => status);
    const refusals = tried.flatMap(({ refusal }) => refusal ?? []);
    expect(refusals.map(({ facts }) => facts.details)).toEqual([
      { current_status: 'advancing', allowed: [...new Set(taken)] },
    ]);
    expect(refusals[0]?.message).toContain('this is possible while it is ready');
  });

  it('changes nothing if the clock already advances to the same target', () => {
    const again = startAdvance({ scope, target, latest: plusDays(noon, 9) });
    given(created, started).when(again).then([]);
    given(created, started, failed).when(again).then([started]);
  });
});
