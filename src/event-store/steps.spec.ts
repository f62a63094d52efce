import type { Decider, Fact } from '../kernel/decider';
import { DomainError } from '../kernel/errors';
import { fromMillis } from '../kernel/time';
import { allProducedEvents, planSteps, type CommandStep, markRepeats } from './steps';

type Counted = Fact<'counted', { by: number }>;

const counter: Decider<number, Counted> = {
  initialState: () => 0,
  evolve: (count, { data }) => count + data.by,
};

const now = fromMillis(0);
const earlier = fromMillis(-1_000);
const by = (amount: number): Counted => ({ type: 'counted', data: { by: amount } });
const upTo = (commandId: string, limit: number): CommandStep<number, Counted> => ({
  commandId,
  decide: (count) => (count < limit ? [by(limit - count)] : []),
});
const refused: CommandStep<number, Counted> = {
  commandId: 'refused',
  decide: () => {
    throw new DomainError('invalid_state_transition', 'No.');
  },
};
const plan = (...steps: CommandStep<number, Counted>[]) =>
  planSteps({ decider: counter, state: 0, now }, steps);

describe('steps of one append', () => {
  it('decide on the state after the earlier steps', () => {
    const { datedFacts, outcomes } = plan(upTo('a', 3), upTo('b', 5), upTo('c', 4));
    expect(datedFacts.map(({ commandId, fact }) => [commandId, fact.data.by])).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(outcomes).toEqual(['done', 'done', 'nothing']);
  });

  it('continue after a refused step', () => {
    const { datedFacts, outcomes } = plan(upTo('a', 1), refused, upTo('b', 2));
    expect(datedFacts.map(({ commandId }) => commandId)).toEqual(['a', 'b']);
    expect(outcomes[1]).toMatchObject({ code: 'invalid_state_transition' });
  });

  it('pass on errors that are not refusals', () => {
    const broken = {
      commandId: 'x',
      decide: () => {
        throw new TypeError('a bug');
      },
    };
    expect(() => plan(broken)).toThrow('a bug');
  });

  it('number the facts of each command and date those without a date', () => {
    const two = { commandId: 'a', decide: () => [by(1), { ...by(1), at: earlier }] };
    expect(plan(two, upTo('b', 9)).datedFacts.map(({ index, fact }) => [index, fact.at])).toEqual([
      [0, now],
      [1, earlier],
      [0, now],
    ]);
  });

  it('count as having all produced events only if each stated a fact', () => {
    expect(allProducedEvents(plan(upTo('a', 1)))).toBe(true);
    expect(allProducedEvents(plan(upTo('a', 1), upTo('b', 1)))).toBe(false);
    expect(allProducedEvents(plan(refused))).toBe(false);
  });

  it('are marked as repeated if the stream or the same append contains their command', () => {
    const steps = [upTo('a', 3), upTo('a', 3), upTo('b', 3), upTo('c', 3)];
    const { outcomes } = plan(...steps);
    const stored = new Set(['c']);
    expect(markRepeats(steps, outcomes, stored)).toEqual([
      'done',
      'repeated',
      'nothing',
      'repeated',
    ]);
  });

  it('are marked as repeated if they are stored under their former command ids', () => {
    const steps = ['old', 'other'].map((former) => ({
      ...upTo(`new ${former}`, 0),
      formerCommandId: () => former,
    }));
    const { outcomes } = plan(...steps);
    expect(markRepeats(steps, outcomes, new Set(['old']))).toEqual(['repeated', 'nothing']);
  });
});
