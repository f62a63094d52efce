import fc from 'fast-check';
import { WakeUps } from './wake-ups';

describe('wake-ups', () => {
  it('hold an item once, at the time that was set last', () => {
    const wakeUps = new WakeUps<string>();
    for (const atMs of [86_400_000, 5, 7]) wakeUps.set('a', atMs);
    wakeUps.set('b', 6);
    expect(wakeUps.size).toBe(2);
    expect(wakeUps.earliest()).toBe(6);
    expect(wakeUps.removeDue(6)).toEqual(['b']);
    expect(wakeUps.findTime('a')).toBe(7);
    wakeUps.delete('a');
    expect([wakeUps.size, wakeUps.earliest(), wakeUps.findTime('a')]).toEqual([0, null, null]);
  });

  it('are due in the order of their times after items were moved or deleted', () => {
    const step = fc.record({
      thing: fc.nat(20),
      atMs: fc.oneof(fc.nat(50), fc.constant(Infinity), fc.constant(null)),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const wakeUps = new WakeUps<number>();
        const expected = new Map<number, number>();
        for (const { thing, atMs } of steps) {
          if (atMs === null) {
            wakeUps.delete(thing);
            expected.delete(thing);
          } else {
            wakeUps.set(thing, atMs);
            expected.set(thing, atMs);
          }
        }
        const due = wakeUps.removeDue(25).map((thing) => expected.get(thing));
        const times = [...expected.values()].sort((a, b) => a - b);
        expect(due).toEqual(times.filter((atMs) => atMs <= 25));
        expect(wakeUps.removeDue(Infinity).map((thing) => expected.get(thing))).toEqual(
          times.filter((atMs) => atMs > 25),
        );
      }),
    );
  });
});
