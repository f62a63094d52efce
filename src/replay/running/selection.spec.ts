import { hasFoundAll } from './selection';

describe('a scan for the events of a job', () => {
  it.each([
    ['before the last event', { lastPosition: 9n, seen: 1 }, false],
    [
      'at the last event, with one of the same append missing',
      { lastPosition: 10n, seen: 1 },
      false,
    ],
    ['at the last event, with all of them', { lastPosition: 10n, seen: 2 }, true],
    ['behind the last event', { lastPosition: 11n, seen: 1 }, true],
    ['at an entry without an event', { lastPosition: null, seen: 1 }, false],
  ])('%s', (_, reached, isComplete) => {
    expect(hasFoundAll({ position_to: '10', events_matched: 2 }, reached)).toBe(isComplete);
  });

  it('has found all of a job that matched nothing, also at an entry without an event', () => {
    const nothing = { position_to: null, events_matched: 0 };
    expect(hasFoundAll(nothing, { lastPosition: null, seen: 0 })).toBe(true);
    expect(hasFoundAll(nothing, { lastPosition: 3n, seen: 0 })).toBe(true);
  });
});
