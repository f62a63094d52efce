import type { Decider, Fact } from '../kernel/decider';
import { DomainError } from '../kernel/errors';
import { fromMillis } from '../kernel/time';
import { isCertain, planSteps, type Step, tellRepeats } from './steps';

type Counted = Fact<'counted', { by: number }>;

const counter: Decider<number, Counted> = {
  initialState: () => 0,
  evolve: (count, { data }) => count + data.by,
};

const now = fromMillis(0);
const earlier = fromMillis(-1_000);
const by = (amount: number): Counted => ({ type: 'counted', data: { by: amount } });
const upTo = (commandId: string, limit: number): Step<number, Counted> => ({
  commandId,
  decide: (count) => (count < limit ? [by(limit - count)] : []),
});
const refused: Step<number, Counted> = {
  commandId: 'refused',
  decide: () => {
    throw new DomainError('invalid_state_transition', 'No.');
  },
};
const plan = (...steps: Step<number, Counted>[]) =>
  planSteps({ decider: counter, state: 0, now }, steps);

describe('steps of one append', () => {
  it('decide on what those before them led to', () => {
    const { stated, outcomes } = plan(upTo('a', 3), upTo('b', 5), upTo('c', 4));
    expect(stated.map(({ commandId, fact }) => [commandId, fact.data.by])).toEqual([
      ['a', 3],
      ['b', 2],
    ]);
    expect(outcomes).toEqual(['done', 'done', 'nothing']);
  });

  it('go on when one of them is refused', () => {
    const { stated, outcomes } = plan(upTo('a', 1), refused, upTo('b', 2));
    expect(stated.map(({ commandId }) => commandId)).toEqual(['a', 'b']);
    expect(outcomes[1]).toMatchObject({ code: 'invalid_state_transition' });
  });

  it('do not swallow what is no refusal', () => {
    const broken = {
      commandId: 'x',
      decide: () => {
        throw new TypeError('a bug');
      },
    };
    expect(() => plan(broken)).toThrow('a bug');
  });

  it('number the facts of each command, and date those that have no date of their own', () => {
    const two = { commandId: 'a', decide: () => [by(1), { ...by(1), at: earlier }] };
    expect(plan(two, upTo('b', 9)).stated.map(({ index, fact }) => [index, fact.at])).toEqual([
      [0, now],
      [1, earlier],
      [0, now],
    ]);
  });

  it('are certain only where each had something to say', () => {
    expect(isCertain(plan(upTo('a', 1)))).toBe(true);
    expect(isCertain(plan(upTo('a', 1), upTo('b', 1)))).toBe(false);
    expect(isCertain(plan(refused))).toBe(false);
  });

  it('are repeats where the stream, or the same append, holds their command', () => {
    const steps = [upTo('a', 3), upTo('a', 3), upTo('b', 3), upTo('c', 3)];
    const { outcomes } = plan(...steps);
    const stored = new Set(['c']);
    expect(tellRepeats(steps, outcomes, stored)).toEqual([
      'done',
      'repeated',
      'nothing',
      'repeated',
    ]);
  });

  it('are repeats as well where they are stored under their former names', () => {
    const steps = ['old', 'other'].map((former) => ({
      ...upTo(`new ${former}`, 0),
      formerCommandId: () => former,
    }));
    const { outcomes } = plan(...steps);
    expect(tellRepeats(steps, outcomes, new Set(['old']))).toEqual(['repeated', 'nothing']);
  });
});
