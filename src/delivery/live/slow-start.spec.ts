import { SlowStart } from './slow-start';

const NOW_MS = 1_000;

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `dest_${i}`);

/** Randomness that gives the reverse order. */
const falling = (): (() => number) => {
  let next = 1;
  return () => (next *= 0.99);
};

/** Plays the rounds of a process. Returns the time after the start at which each destination starts. */
const play = (failing: readonly string[]): Map<string, number> => {
  const slow = new SlowStart(failing, NOW_MS, falling());
  const started = new Map<string, number>();
  for (let nowMs = NOW_MS; ;) {
    for (const id of failing) {
      if (!started.has(id) && slow.admits(id, nowMs)) started.set(id, nowMs - NOW_MS);
    }
    const waitMs = slow.msUntilNext(nowMs);
    if (waitMs === null) return started;
    nowMs += waitMs;
  }
};

describe('the slow start of failing destinations', () => {
  it('delays no destination that works', () => {
    const slow = new SlowStart(idsOf(100), NOW_MS, falling());
    expect(slow.admits('dest_healthy', NOW_MS)).toBe(true);
    expect(slow.admits('dest_0', NOW_MS)).toBe(false);
  });

  it('starts a hundred failing ones within ten seconds, two in no 100 ms, in random order', () => {
    const started = play(idsOf(100));
    const times = [...started.values()];
    expect(started.size).toBe(100);
    expect(Math.max(...times)).toBeLessThanOrEqual(10_000);
    expect(new Set(times.map((ms) => Math.floor(ms / 100))).size).toBe(100);
    expect(started.get('dest_99')).toBeLessThan(started.get('dest_0') ?? 0);
  });

  it('starts many thousands within ten seconds, in rounds of 100 ms', () => {
    const times = [...play(idsOf(5_000)).values()];
    expect(times).toHaveLength(5_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(10_200);
    expect(new Set(times).size).toBeLessThanOrEqual(101);
  });

  it('starts a single failing one after 100 ms', () => {
    expect([...play(idsOf(1)).values()]).toEqual([100]);
  });

  it('delays a destination once only', () => {
    const slow = new SlowStart(['dest_0'], NOW_MS, falling());
    expect(slow.admits('dest_0', NOW_MS + 100)).toBe(true);
    expect(slow.admits('dest_0', NOW_MS)).toBe(true);
    expect(slow.msUntilNext(NOW_MS)).toBeNull();
  });

  it('has nothing to wait for where no destination fails', () => {
    expect(new SlowStart([], NOW_MS, falling()).msUntilNext(NOW_MS)).toBeNull();
  });
});
