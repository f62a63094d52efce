import { DomainError } from '../../kernel/errors';
import type { Instant } from '../../kernel/time';
import { checkWindow } from './replay.window';

const now = '2026-03-31T12:00:00.000Z' as Instant;
const at = (text: string): Instant => text as Instant;

const refusal = (from: string, to: string): unknown[] => {
  try {
    return ['accepted', checkWindow({ from: at(from), to: at(to) }, now)];
  } catch (error) {
    const { code, facts } = error as DomainError;
    return [code, facts.param];
  }
};

describe('the window of a replay', () => {
  it.each([
    ['2024-03-31T12:00:00.000Z', '2024-04-01T00:00:00.000Z'],
    ['2024-03-31T11:59:00.000Z', '2024-04-01T00:00:00.000Z'],
    ['2026-03-31T12:00:00.000Z', '2026-03-31T12:00:00.001Z'],
  ])('may begin at %s', (from, to) => {
    expect(refusal(from, to)).toEqual(['accepted', to < now ? to : now]);
  });

  it('ends at the present at the latest', () => {
    expect(
      checkWindow(
        { from: at('2026-03-01T00:00:00.000Z'), to: at('2027-01-01T00:00:00.000Z') },
        now,
      ),
    ).toBe(now);
  });

  it.each([
    ['older than 24 months', '2024-03-31T11:58:59.999Z', '2026-01-01T00:00:00.000Z', 'from'],
    ['in the future', '2026-03-31T12:00:00.001Z', '2026-04-01T00:00:00.000Z', 'from'],
    ['empty', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'to'],
    ['backwards', '2026-01-02T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'to'],
  ])('may not be %s', (_, from, to, param) => {
    expect(refusal(from, to)).toEqual(['invalid_replay_window', param]);
  });
});
